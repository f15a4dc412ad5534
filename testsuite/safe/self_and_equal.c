//@ verdict: safe
//@ native: run
#include <assert.h>
#include <pthread.h>
static pthread_t main_thread;

static void *worker(void *arg) {
  assert(!pthread_equal(pthread_self(), main_thread));
  return 0;
}

int main(void) {
  pthread_t t;
  main_thread = pthread_self();
  pthread_create(&t, 0, worker, 0);
  assert(!pthread_equal(t, pthread_self()));
  pthread_join(t, 0);
  assert(pthread_equal(main_thread, pthread_self()));
  return 0;
}
