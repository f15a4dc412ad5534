// The variable of a function is written long after its return, and after more calls than anybody keeps addresses apart for.
#include "../verifier.h"

int *stale;

static void call(int keep) {
  int local = 0;
  if (keep)
    stale = &local;
  else
    local++;
}

int main(void) {
  call(1);
  for (int i = 0; i < 300; i++)
    call(0);
  *stale = 1;
}
