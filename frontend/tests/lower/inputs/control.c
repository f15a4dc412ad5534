int absolute(int x) {
  return x < 0 ? -x : x;
}
unsigned char narrow(unsigned char a, signed char b) {
  return a > b && a != 200 ? a + b : a >> 3;
}
int choose(long x) {
  switch (x) {
  case -7:
    return 1;
  case 3:
  case 4:
    return 2;
  default:
    return x / 5;
  }
}
int loops(int n) {
  int sum = 0;
  for (int i = 0; i < n; i++) {
    if (i % 3 == 0)
      continue;
    int j = i;
    do {
      sum += j--;
    } while (j > 0);
  }
  return sum;
}
_Noreturn void stop(void);
void check(int ok) {
  if (!ok)
    stop();
}
int main(void) {
  return 0;
}
