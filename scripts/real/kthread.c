// minimap2's threads (kthread.c). With FOR: a loop of three turns by two threads, which steal from each other; each
// turn is taken once. Without: a pipeline of two steps, through which three threads take two jobs; the second step sees
// the jobs in their order.
#include "kthread.h"
#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifdef FOR
static atomic_int taken[3];

static void turn(void *data, long i, int thread) {
  assert(i >= 0 && i < 3 && (thread == 0 || thread == 1));
  taken[i]++;
}

int main(void) {
  kt_for(2, turn, 0, 3);
  for (int i = 0; i < 3; i++)
    assert(taken[i] == 1);
}
#else
static int made, seen;

static void *step(void *shared, int number, void *job) {
  if (number == 0) {
    if (made == 2)
      return 0;
    int *new = malloc(sizeof *new);
    *new = made++;
    return new;
  }
  assert(*(int *)job == seen);
  seen++;
  free(job);
  return 0;
}

int main(void) {
  kt_pipeline(3, step, 0, 2);
  assert(seen == 2);
}
#endif
