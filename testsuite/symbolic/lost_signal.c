//@ revisions: safe broken
//@[safe] verdict: safe
//@[broken] verdict: unsafe(deadlock)
//@[broken] cflags: -DBROKEN
// A signal that is lost for one input only: for it, what is waited for is not looked at again under the lock.
#include <pthread.h>
extern unsigned __VERIFIER_nondet_uint(void);

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int ready;

static void *waker(void *unused) {
  pthread_mutex_lock(&m);
  ready = 1;
  pthread_cond_signal(&c);
  pthread_mutex_unlock(&m);
  return unused;
}

int main(void) {
  unsigned x = __VERIFIER_nondet_uint();
  pthread_t t;
  pthread_create(&t, 0, waker, 0);
  pthread_mutex_lock(&m);
#ifdef BROKEN
  if (x == 0xcafe1234)
    pthread_cond_wait(&c, &m); //~[broken] deadlock
#endif
  while (!ready)
    pthread_cond_wait(&c, &m);
  pthread_mutex_unlock(&m);
  pthread_join(t, 0);
  return x == 1;
}
