//@ revisions: patient hasty
//@[patient] verdict: safe
//@[hasty] verdict: unsafe(livelock)
//@[hasty] cflags: -DHASTY
//@ source: by hand: who looks once and too early never answers
//@ orders: 2
//@ cutoffs: needed
// A question and its answer by spinning. Nobody is blocked, and yet nothing will ever happen again.
#include "../threads.h"
#include <stdatomic.h>
static atomic_int asked, answered;

static void *asks(void *arg) {
  asked = 1;
  while (!answered) //~[hasty] livelock
    ;
  return 0;
}

static void *answers(void *arg) {
#ifdef HASTY
  if (!asked)
    return 0;
#else
  while (!asked)
    ;
#endif
  answered = 1;
  return 0;
}

int main(void) {
  run_all(2, (routine *[]){asks, answers});
  return 0;
}
