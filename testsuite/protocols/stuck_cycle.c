//@ revisions: same_order crossed
//@[same_order] verdict: safe
//@[same_order] cflags: -DFIRST=a -DSECOND=b
//@[crossed] verdict: unsafe(deadlock)
//@[crossed] cflags: -DFIRST=b -DSECOND=a
//@ source: by hand: each holds what the other wants next
//@ orders: 3
//@ cutoffs: needed
// Two threads wait for one another for ever; that a third one goes on does not help them.
#include "../threads.h"
#include <stdatomic.h>
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static atomic_int clock_hand;

static void *one(void *arg) {
  while (1) {
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b); //~[crossed] deadlock
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
  }
}

static void *two(void *arg) {
  while (1) {
    pthread_mutex_lock(&FIRST);
    pthread_mutex_lock(&SECOND); //~[crossed] deadlock
    pthread_mutex_unlock(&SECOND);
    pthread_mutex_unlock(&FIRST);
  }
}

static void *ticks(void *arg) {
  while (1)
    clock_hand ^= 1;
}

int main(void) {
  run_all(3, (routine *[]){one, two, ticks});
  return 0;
}
