//@ verdict: safe
//@ revisions: m64 m32
//@[m32] args: -m32
//@ native: run
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

int main(void) {
  int *p = malloc(3 * sizeof *p), *q = calloc(4, sizeof *q);
  for (int i = 0; i < 3; i++)
    p[i] = i + 1;
  p = realloc(p, 100 * sizeof *p);
  assert(p[0] + p[1] + p[2] == 6 && q[3] == 0 && p != q);
  p = realloc(p, 2 * sizeof *p);
  assert(p[1] == 2);
  void *aligned;
  assert(posix_memalign(&aligned, 64, 10) == 0 && (uintptr_t)aligned % 64 == 0);
  free(aligned);
  free(q);
  free(p);
  free(NULL);
  return 0;
}
