//@ revisions: astray within
//@[astray] verdict: unsafe(memory)
//@[astray] cflags: -m32 -DAT=128
//@[within] verdict: safe
//@[within] cflags: -m32 -DAT=24
// The index of one thread leads to where the other one writes: that is no race on the second object but an access beyond the first.
#include <pthread.h>

static int a[25], b[4000];

static void *far(void *unused) {
  for (int i = AT; i < AT + 1; i++)
    a[i] = 1; //~[astray] memory
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, far, 0);
  for (int i = 0; i < 4000; i++)
    b[i] = 1;
  pthread_join(thread, 0);
}
