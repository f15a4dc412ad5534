//@ verdict: safe
//@ revisions: o0 o2 avx2
//@[o2] cflags: -O2
//@[avx2] cflags: -O3 -march=x86-64-v3
#include <assert.h>
#define N 64

int main(int argc, char **argv) {
  int a[N], b[N];
  double d[N];
  for (int i = 0; i < N; i++) {
    a[i] = i * argc;
    b[i] = (N - i) ^ argc;
    d[i] = a[i] * 0.5;
  }
  int sum = 0, largest = 0;
  double total = 0;
  for (int i = 0; i < N; i++) {
    sum += a[i] * b[i] + (a[i] > b[i] ? 1 : 2);
    largest = b[i] > largest ? b[i] : largest;
    total += d[i];
  }
  assert(argc == 1 && sum == 43745 && largest == 65 && total == 1008);
  return 0;
}
