//@ revisions: never later
//@[never] verdict: unknown(whether a thread that goes on ever cancels one of those that wait for one another)
//@[later] cflags: -DLATER
//@[later] verdict: safe
//@ cutoffs: needed
// Two threads join one another, while main goes on for ever. If main could cancel one of them and never does, they are stuck, and no state
// in itself shows it. That they are a deadlock then is not found out; that they are nothing is wrong.
// later: main cancels the first one some time. Its end lets the second one go on.
#include <pthread.h>
#include <stdatomic.h>

static pthread_t first, second;
static atomic_int go, turn;

static void *join_second(void *arg) {
  while (!go) {
  }
  pthread_join(second, 0);
  return arg;
}

static void *join_first(void *arg) {
  while (!go) {
  }
  pthread_join(first, 0);
  return arg;
}

int main(void) {
  pthread_create(&first, 0, join_second, 0);
  pthread_create(&second, 0, join_first, 0);
  go = 1;
  turn = 1;
#ifdef LATER
  pthread_cancel(first);
#endif
  for (;;) {
    turn = !turn;
    if (turn == 2)
      pthread_cancel(first);
  }
}
