typedef int four __attribute__((vector_size(16)));
typedef long two __attribute__((vector_size(16)));
typedef _Bool bits __attribute__((ext_vector_type(4)));
four combine(four a, four b) {
  return __builtin_shufflevector(a * b, a, 3, 4, 0, 1);
}
int pick(four a, int i) {
  a[i] = 7;
  return a[3 - i] + a[1];
}
two recast(four a) {
  return (two)a;
}
int reduce(four a) {
  return __builtin_reduce_max(a);
}
bits mask;
void flip(int i) {
  bits m = mask;
  m[2] = i;
  mask = m;
}
int main(void) {
  return 0;
}
