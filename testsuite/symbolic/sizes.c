//@ revisions: safe heap bound
//@[safe] verdict: safe
//@[safe] executions: 3
//@[safe] paths: 3
//@[safe] source: derived: 0, 1 or 2 threads, which have nothing to do with one another
//@[heap bound] verdict: unsafe(memory)
//@[heap] cflags: -DHEAP
//@[bound] cflags: -DBOUND
// How many threads there are, how large a block and an array are, and how often loops go round is an input. HEAP: the
// block has no room for the last cell. BOUND: a loop goes round once too often.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);

static void *worker(void *cell) {
  *(int *)cell = 1;
  return 0;
}

int main(void) {
  unsigned n = __VERIFIER_nondet_uint();
  __VERIFIER_assume(n <= 2);
  pthread_t t[2];
  int sums[n + 1];
#ifdef HEAP
  int *cells = malloc(n * sizeof *cells);
#else
  int *cells = malloc((n + 1) * sizeof *cells);
#endif
  if (!cells)
    return 0;
  for (unsigned i = 0; i < n; i++)
    pthread_create(&t[i], 0, worker, &cells[i]);
  cells[n] = 7; //~[heap] memory
  for (unsigned i = 0; i < n; i++)
    pthread_join(t[i], 0);
  sums[0] = 0;
#ifdef BOUND
  for (unsigned i = 0; i <= n; i++)
#else
  for (unsigned i = 0; i < n; i++)
#endif
    sums[i + 1] = sums[i] + cells[i]; //~[bound] memory
  assert(sums[n] == (int)n);
  free(cells);
  return 0;
}
