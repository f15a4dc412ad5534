struct pair {
  long a, b;
};
struct big {
  long a[5];
};
struct mixed {
  float f;
  int i;
  double d;
};
struct pair make(long a) {
  return (struct pair){a, a + 1};
}
struct big grow(struct big b, long x) {
  b.a[2] += x;
  return b;
}
double use(struct mixed m) {
  struct big b = {{1, 2, 3}};
  return m.f + m.d + grow(b, m.i).a[2] + make(4).b;
}
int (*table[2])(int);
int indirect(int i) {
  return table[i](i);
}
int main(void) {
  return 0;
}
