// Nobody waits for the second thread.
#include "../verifier.h"

int data;

void *work(void *p) {
  data++;
  return p;
}

int main(void) {
  pthread_t t = start(work, 0);
  pthread_detach(t);
  data++;
  pthread_exit(0);
}
