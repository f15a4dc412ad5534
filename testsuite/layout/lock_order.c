//@ revisions: one all all32 unordered
//@ verdict: safe
//@[unordered] verdict: unsafe(deadlock)
//@[one] assumes: one-layout
//@[all all32] assumes: few-layouts
//@[all] args: --layouts 2
//@[all32] args: --layouts 2 -m32
//@[unordered] cflags: -DUNORDERED
// Locks that are taken in the order of their addresses: whichever that is, nobody waits for ever.
#include <pthread.h>

static void both(pthread_mutex_t *first, pthread_mutex_t *second) {
#ifndef UNORDERED
  if (second < first) { pthread_mutex_t *other = first; first = second; second = other; }
#endif
  pthread_mutex_lock(first); //~[unordered] deadlock
  pthread_mutex_lock(second); //~[unordered] deadlock
  pthread_mutex_unlock(second);
  pthread_mutex_unlock(first);
}

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;

static void *other(void *unused) {
  both(&b, &a);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, other, 0);
  both(&a, &b);
  pthread_join(thread, 0);
}
