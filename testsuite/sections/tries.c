//@ verdict: unsafe(assertion)
//@ source: a thread that tries to lock sees a section in its middle, and then main finds nothing counted
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int counters[3];

static void *work(void *arg) {
  pthread_mutex_lock(&lock);
  counters[(long)arg]++;
  pthread_mutex_unlock(&lock);
  return 0;
}

static void *tries(void *arg) {
  if (!pthread_mutex_trylock(&lock)) {
    counters[2]++;
    pthread_mutex_unlock(&lock);
  }
  return arg;
}

int main(void) {
  pthread_t threads[3];
  pthread_create(&threads[0], 0, work, 0);
  pthread_create(&threads[1], 0, work, (void *)1);
  pthread_create(&threads[2], 0, tries, 0);
  for (int i = 0; i < 3; i++)
    pthread_join(threads[i], 0);
  assert(counters[2] == 1); //~ assertion
  return 0;
}
