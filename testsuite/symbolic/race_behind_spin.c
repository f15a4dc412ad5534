//@ verdict: unsafe(data-race)
//@ naive: no
// The first thread is let go with an input, so that a loop that waits for it reads data that may be anything: there, threads run
// round their loops. With the input that was found nothing is left open, and they would wait. The schedule goes round a loop once,
// and is taken all the same.
#include <pthread.h>
#include <stdatomic.h>
extern int __VERIFIER_nondet_int(void);

static atomic_int go, over;
static int data;

static void *worker(void *unused) {
  while (!atomic_load(&go))
    ;
  data = 1;
  atomic_store_explicit(&over, 1, memory_order_relaxed);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, worker, 0);
  int input = __VERIFIER_nondet_int();
  if (input > 5)
    atomic_store(&go, input);
  else
    atomic_store(&go, 1);
  while (!atomic_load_explicit(&over, memory_order_relaxed))
    ;
  int other = __VERIFIER_nondet_int();
  int seen = other == input ? data : 0; //~ data-race
  pthread_join(thread, 0);
  return seen;
}
