// What `main` writes before a thread begins and after it has ended is ordered with what the thread does.
#include "../verifier.h"

int data;

void *work(void *p) {
  data++;
  return p;
}

int main(void) {
  data = 1;
  join(start(work, 0));
  data++;
  join(start(work, 0));
  check(data == 4);
}
