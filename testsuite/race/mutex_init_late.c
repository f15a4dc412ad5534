//@ verdict: unsafe(data-race)
// The mutex is prepared while the other thread may use it already.
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *user(void *arg) {
  pthread_mutex_lock(&m); //~ data-race
  pthread_mutex_unlock(&m); //~ data-race
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, user, 0);
  pthread_mutex_init(&m, 0); //~ data-race
  pthread_join(t, 0);
  return 0;
}
