typedef __int128 wide;
typedef _BitInt(24) odd;
wide global = ((wide)5 << 70) - 1;
wide compute(wide a, int b) {
  return a * b + (a >> 3);
}
int compare(wide a, unsigned __int128 b) {
  return a < 0 || b > 7;
}
int checked(wide a, wide b, wide *result) {
  return __builtin_mul_overflow(a, b, result);
}
odd narrow(odd *p) {
  return *p += 3;
}
int main(void) {
  return 0;
}
