//@ revisions: opposite opposite32 ordered ordered32
//@ verdict: safe
//@[opposite opposite32] verdict: unsafe(deadlock)
//@[ordered ordered32] assumes: one-layout
//@[opposite] args: --layouts 8
//@[opposite32] args: --layouts 8 -m32
//@[ordered32] args: -m32
//@[ordered ordered32] cflags: -DORDERED
// A block is guarded by the lock of the stripe in which its address lies. Two threads take the locks of two blocks in
// opposite orders: they wait for one another, unless both blocks lie in one stripe (as they do in some layouts). If the locks are taken in the order of
// the stripes, nobody waits for ever.
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

static pthread_mutex_t lock[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static int *block[2];

static int stripe(int *p) { return (uintptr_t)p >> 5 & 1; }

static void both(int *p, int *q) {
  int first = stripe(p), second = stripe(q);
#ifdef ORDERED
  if (second < first) { int other = first; first = second; second = other; }
#endif
  pthread_mutex_lock(&lock[first]); //~[opposite opposite32] deadlock
  if (second != first) pthread_mutex_lock(&lock[second]); //~[opposite opposite32] deadlock
  ++*p;
  ++*q;
  if (second != first) pthread_mutex_unlock(&lock[second]);
  pthread_mutex_unlock(&lock[first]);
}

static void *other(void *unused) {
  both(block[1], block[0]);
  return unused;
}

int main(void) {
  block[0] = calloc(1, sizeof(int));
  block[1] = calloc(1, sizeof(int));
  pthread_t thread;
  pthread_create(&thread, 0, other, 0);
  both(block[0], block[1]);
  pthread_join(thread, 0);
  free(block[0]);
  free(block[1]);
}
