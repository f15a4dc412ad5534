//@ verdict: safe
//@ executions: 5
//@ paths: 3
//@ blocked: some
//@ source: by hand, below
// Paths and schedules are counted apart. The thread decides whether x > 0 and, if so, whether x > 10: three paths. If x is not above 0, the
// lock is taken by nobody but main: one execution. Else both take it, in either order: two executions for each of two paths.
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int x, large, taken;

static void *worker(void *unused) {
  if (x > 0) {
    if (x > 10)
      large = 1;
    pthread_mutex_lock(&lock);
    taken++;
    pthread_mutex_unlock(&lock);
  }
  return unused;
}

int main(void) {
  pthread_t t;
  x = __VERIFIER_nondet_int();
  pthread_create(&t, 0, worker, 0);
  pthread_mutex_lock(&lock);
  taken++;
  pthread_mutex_unlock(&lock);
  pthread_join(t, 0);
  return large > 1;
}
