// The variable's function has returned when the thread reads it.
#include "../verifier.h"

void *work(void *p) {
  *(int *)p = 1;
  return 0;
}

static pthread_t begin(void) {
  int local = 0;
  return start(work, &local);
}

int main(void) { join(begin()); }
