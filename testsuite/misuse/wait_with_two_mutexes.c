//@ revisions: two one
//@[two] verdict: unsafe(misuse)
//@[two] cflags: -DTWO
//@[one] verdict: safe
//@ orders: 2
#include "../threads.h"
static pthread_mutex_t m[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int done[2];

static void *waiter(void *arg) {
  long i = (long)arg;
#ifdef TWO
  pthread_mutex_t *own = &m[i];
#else
  pthread_mutex_t *own = &m[0];
#endif
  pthread_mutex_lock(own);
  while (!done[i])
    pthread_cond_wait(&c, own); //~[two] misuse
  pthread_mutex_unlock(own);
  return 0;
}

static void *waker(void *arg) {
  pthread_mutex_lock(&m[0]);
  pthread_mutex_lock(&m[1]);
  done[0] = done[1] = 1;
  pthread_cond_broadcast(&c);
  pthread_mutex_unlock(&m[1]);
  pthread_mutex_unlock(&m[0]);
  return 0;
}

int main(void) {
  run_all(3, (routine *[]){waiter, waiter, waker});
  return 0;
}
