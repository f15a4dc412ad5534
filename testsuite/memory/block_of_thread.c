//@ revisions: ended waited outside
//@[ended] verdict: unsafe(memory)
//@[ended] cflags: -DENDED
//@[ended] args: --check memory,assertion
//@[waited] verdict: safe
//@[waited] cflags: -DWAITED
//@[waited] native: run
//@[outside] verdict: safe
//@[outside] native: run
// A thread is given a variable of a block that ends before the thread does.
#include <pthread.h>

static void *add(void *arg) {
  *(int *)arg += 1; //~[ended] memory
  return 0;
}

int main(void) {
  pthread_t thread;
#ifdef ENDED
  {
    int n = 1;
    pthread_create(&thread, 0, add, &n);
  }
  pthread_join(thread, 0);
#elif defined WAITED
  {
    int n = 1;
    pthread_create(&thread, 0, add, &n);
    pthread_join(thread, 0);
  }
#else
  int n = 1;
  {
    pthread_create(&thread, 0, add, &n);
  }
  pthread_join(thread, 0);
#endif
  return 0;
}
