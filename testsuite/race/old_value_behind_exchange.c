//@ revisions: first second
//@ verdict: unsafe(data-race)
//@[second] cflags: -DSWAPPED
//@ source: own; both choices lead to the same state, the longer one by more actions, and only there the store races
// An exchange of any size stores what was there before plainly, behind what it releases.
#include <pthread.h>
#include <stdatomic.h>

extern _Bool __VERIFIER_nondet_bool(void);
extern void exchange(unsigned long, void *, void *, void *, int) __asm__("__atomic_exchange");

static atomic_int step;
static int flag, one = 1, out, spare;

#ifdef SWAPPED
#define LONGER !__VERIFIER_nondet_bool()
#else
#define LONGER __VERIFIER_nondet_bool()
#endif

static void *looks(void *arg) {
  if (__atomic_load_n(&flag, __ATOMIC_SEQ_CST) == 1) {
    volatile int seen = out; //~ data-race
    (void)seen;
  }
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, looks, 0);
  int *to;
  if (LONGER) {
    atomic_load(&step);
    spare = 0;
    to = &out;
  } else {
    out = 0;
    to = &spare;
  }
  exchange(sizeof flag, &flag, &one, to, __ATOMIC_SEQ_CST); //~ data-race
  to = 0;
  pthread_join(thread, 0);
  return 0;
}
