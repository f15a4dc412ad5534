//@ verdict: safe
//@ native: run
//@ revisions: m64 m32
//@[m32] cflags: -m32
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
  char *p = malloc(3);
  strcpy(p, "ab");
  p = realloc(p, 1000);
  assert(!strcmp(p, "ab"));
  p[999] = 1;
  p = realloc(p, 2);
  assert(p[1] == 'b');
  free(p);
  int *zeros = calloc(10, sizeof *zeros);
  for (int i = 0; i < 10; i++) assert(zeros[i] == 0);
  free(zeros);
  volatile size_t huge = SIZE_MAX;
  assert(calloc(huge, 2) == NULL && errno == ENOMEM);
  assert(malloc(huge) == NULL);
  void *q = NULL;
  assert(posix_memalign(&q, 64, 10) == 0 && (uintptr_t)q % 64 == 0);
  free(q);
  volatile size_t odd = 3;
  assert(posix_memalign(&q, odd, 10) == EINVAL);
  q = aligned_alloc(128, 256);
  assert((uintptr_t)q % 128 == 0);
  free(q);
  char *a = malloc(0), *b = malloc(0);
  assert(a != b);
  free(a);
  free(b);
  free(NULL);
  return 0;
}
