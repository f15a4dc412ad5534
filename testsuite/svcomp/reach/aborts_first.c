// `abort` and `exit` end the program before the error, on either way.
#include "../verifier.h"

extern void exit(int status);

int main(void) {
  if (__VERIFIER_nondet_bool())
    exit(1);
  else
    abort();
  reach_error();
}
