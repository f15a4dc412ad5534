//@ verdict: unsafe(deadlock)
// A thread waits on a futex if its word is zero. Another one wakes it, and sets the word in an atomic block. The first one
// waits for ever if it comes to wait between the two.
#include <pthread.h>
#include <stdatomic.h>

long syscall(long, ...);
extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);

static atomic_int word;

static void *waits(void *arg) {
  syscall(202, &word, 0, 0, 0L); //~ deadlock
  return arg;
}

static void *wakes(void *arg) {
  syscall(202, &word, 1, 1);
  __VERIFIER_atomic_begin();
  word = 1;
  __VERIFIER_atomic_end();
  return arg;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], 0, waits, 0);
  pthread_create(&threads[1], 0, wakes, 0);
  pthread_join(threads[0], 0);
  pthread_join(threads[1], 0);
}
