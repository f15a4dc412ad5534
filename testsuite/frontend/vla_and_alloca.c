//@ verdict: safe
//@ revisions: o0 o2
//@[o2] cflags: -O2
//@ native: run
#include <alloca.h>
#include <assert.h>

static int triangle(int n) {
  int rows[n][n];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      rows[i][j] = j <= i;
  int sum = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      sum += rows[i][j];
  return sum + (int)(sizeof rows / sizeof rows[0]);
}

int main(void) {
  assert(triangle(3) == 9 && triangle(5) == 20);
  char *p = alloca(10);
  for (int i = 0; i < 10; i++)
    p[i] = (char)i;
  assert(p[9] == 9);
  return 0;
}
