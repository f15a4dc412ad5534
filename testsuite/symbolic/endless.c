//@ revisions: safe broken
//@[safe] verdict: safe
//@[broken] verdict: unsafe(assertion)
//@[broken] cflags: -DBROKEN
//@ cutoffs: needed
// Commands from outside drive a machine for ever; another thread looks at it. What is kept of the inputs never grows, so
// there is an end of states. BROKEN: the gear is left one turn after the speed is 0.
#include <assert.h>
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
enum { STOPPED, READY, DRIVING };

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int gear, speed;

static void *watcher(void *unused) {
  while (1) {
    pthread_mutex_lock(&m);
    assert(gear == DRIVING ? speed > 0 : speed == 0); //~[broken] assertion
    pthread_mutex_unlock(&m);
  }
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, watcher, 0);
  while (1) {
    int command = __VERIFIER_nondet_int();
    pthread_mutex_lock(&m);
    switch (gear) {
    case STOPPED:
      if (command == 7)
        gear = READY;
      break;
    case READY:
      if (command > 100) {
        gear = DRIVING;
        speed = 2;
      } else if (command < -5) {
        gear = STOPPED;
      }
      break;
    case DRIVING:
#ifdef BROKEN
      if (speed == 0)
        gear = STOPPED;
      else
        speed--;
#else
      speed--;
      if (speed == 0)
        gear = STOPPED;
#endif
      break;
    }
    pthread_mutex_unlock(&m);
  }
}
