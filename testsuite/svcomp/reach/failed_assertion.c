// An assertion fails whenever the other thread is faster. It ends the program and is not what must not happen; behind it
// nothing happens any more.
#include <assert.h>
#include "../verifier.h"

_Atomic int done;

void *work(void *p) {
  done = 1;
  return p;
}

int main(void) {
  pthread_t t = start(work, 0);
  assert(done == 0);
  int seen = done;
  join(t);
  check(seen == 0 || seen == 1);
}
