// Any time may have passed between two looks at the clock, also none.
#include <time.h>
#include "../verifier.h"

int main(void) {
  time_t before = time(0);
  check(time(0) - before != 1000);
}
