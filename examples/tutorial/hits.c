// Two threads count. With -DLOCKED they take turns.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int hits;

static void *visitor(void *unused) {
#ifdef LOCKED
  pthread_mutex_lock(&lock);
  hits++;
  pthread_mutex_unlock(&lock);
#else
  hits++;
#endif
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, visitor, 0);
  visitor(0);
  pthread_join(thread, 0);
  assert(hits == 2);
}
