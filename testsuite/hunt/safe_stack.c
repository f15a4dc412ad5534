//@ revisions: free locked
//@[free] verdict: unsafe(assertion)
//@[free] samples: 1000
//@[locked] verdict: safe
//@[locked] naive: no
//@[locked] cflags: -DLOCKED
//@[locked] executions: 12
//@ source: orders of the sections of two takers and of the two of the user, 4! / 2!; where it comes third it finds nothing and has one: as many
// After "SafeStack": a stack of indices without a lock. A pop takes the link of the element on top away, so that no other pop gets it, and
// puts it back where it fails. That goes wrong if one thread reads the top (1); a second one takes it and is about to put it back (2); the
// first one takes that link (3); a third one takes the element below (4); and the second one puts the first one back (5), before the
// first one goes on: the top is then what the third one has.
#include "threads_of.h"
#include <assert.h>
#include <stdatomic.h>
enum { SIZE = 3, NONE = -1, TRIES = 2 };
static atomic_int head, next[SIZE] = {1, 2, NONE}, owned[SIZE];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void enter(void) {
#ifdef LOCKED
  pthread_mutex_lock(&lock);
#endif
}

static void leave(void) {
#ifdef LOCKED
  pthread_mutex_unlock(&lock);
#endif
}

static int pop(void) {
  enter();
  int got = NONE;
  for (int i = 0; i < TRIES && got == NONE; i++) {
    int top = head, below = atomic_exchange(&next[top], NONE);
    if (below == NONE)
      continue;
    if (atomic_compare_exchange_strong(&head, &(int){top}, below))
      got = top;
    else
      next[top] = below;
  }
  leave();
  return got;
}

static void push(int mine) {
  enter();
  int top = head;
  do
    next[mine] = top;
  while (!atomic_compare_exchange_strong(&head, &top, mine));
  leave();
}

static void *taker(void *arg) {
  int mine = pop();
  if (mine != NONE)
    owned[mine] = 1;
  return arg;
}

static void *user(void *arg) {
  int mine = pop();
  if (mine != NONE)
    push(mine);
  return arg;
}

int main(void) {
  run_many(2, taker, 1, (routine *const[]){user});
  assert(!owned[head]); //~[free] assertion
  (void)lock;
  return 0;
}
