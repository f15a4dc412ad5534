//@ revisions: itself crossed not_initial unwritten ends
//@[itself] verdict: unsafe(deadlock)
//@[itself] cflags: -DSCENE=1
//@[crossed] verdict: unsafe(deadlock)
//@[crossed] cflags: -DSCENE=2
//@[not_initial] verdict: unsafe(misuse)
//@[not_initial] cflags: -DSCENE=3
//@[unwritten] verdict: unsafe(misuse)
//@[unwritten] cflags: -DSCENE=4
//@[ends] verdict: unknown(in the middle of a routine of pthread_once)
//@[ends] cflags: -DSCENE=5
//@ source: by hand: who waits for the end of what it does itself waits for ever
// What happens once, and never ends.
#include <pthread.h>
#include <stdlib.h>

static pthread_once_t a = PTHREAD_ONCE_INIT, b = PTHREAD_ONCE_INIT;

static void nothing(void) {}

static void first(void) {
#if SCENE == 1
  pthread_once(&a, first); //~[itself] deadlock
#elif SCENE == 2
  pthread_once(&b, nothing); //~[crossed] deadlock
#elif SCENE == 5
  pthread_exit(0);
#endif
}

static void second(void) {
#if SCENE == 2
  pthread_once(&a, nothing); //~[crossed] deadlock
#endif
}

static void *other(void *arg) {
  pthread_once(&b, second);
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, other, 0);
#if SCENE == 3
  a = 7;
#elif SCENE == 4
  pthread_once_t *own = malloc(sizeof *own);
  pthread_once(own, nothing); //~[unwritten] misuse
#endif
  pthread_once(&a, first); //~[not_initial] misuse
  pthread_join(thread, 0);
}
