//@ verdict: safe
//@ revisions: mutex sequence
//@[mutex] awaits: 4
//@[mutex] in-vain: 4
//@[sequence] cflags: -DSEQUENCE
//@[sequence] awaits: 2
//@[sequence] in-vain: 6
//@ cutoffs: needed
//@ source: Peterson: whose `turn` comes first; that one reads `wants` of the other before it is set or behind `turn`; the other one reads it when it is taken back, or before that, in vain. Sequence lock: all is read before or behind the writer; in vain with 0 at first, x and y read before or behind each store, or with 1, and x read before or behind its store
// A turn of the loop reads one place, and then another one, at which it ends in vain.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int wants[2], turn, sequence, x, y;
static int inside;

#ifdef SEQUENCE
static void *first(void *arg) {
  atomic_store(&sequence, 1);
  x = 1;
  y = 1;
  atomic_store(&sequence, 2);
  return 0;
}

static void *second(void *arg) {
  int before, a, b;
  do {
    before = sequence;
    a = x;
    b = y;
  } while (before % 2 || sequence != before);
  assert(a == b);
  return 0;
}
#else
static void work(int me) {
  wants[me] = 1;
  turn = 1 - me;
  while (wants[1 - me] && turn == 1 - me)
    ;
  inside++;
  assert(inside == 1);
  inside--;
  wants[me] = 0;
}

static void *first(void *arg) {
  work(0);
  return 0;
}

static void *second(void *arg) {
  work(1);
  return 0;
}
#endif

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], 0, first, 0);
  pthread_create(&threads[1], 0, second, 0);
  pthread_join(threads[0], 0);
  pthread_join(threads[1], 0);
  return 0;
}
