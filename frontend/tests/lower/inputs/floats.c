double mean(const float *x, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += x[i];
  return n > 0 ? sum / n : -1.5;
}
long double extended(long double x, int i) {
  return x * 2 + i;
}
unsigned convert(double d, unsigned long u) {
  return (unsigned)d + (float)u;
}
int classify(double d) {
  return __builtin_isinf(d);
}
int main(void) {
  return 0;
}
