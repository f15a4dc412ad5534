//@ verdict: unsafe(assertion)
//@ source: a thread that tries to lock in some executions only, when others were explored with sections as one action, sees one in its middle
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int counters[3], failed;
static atomic_int flag;

static void *work(void *arg) {
  pthread_mutex_lock(&lock);
  counters[(long)arg]++;
  pthread_mutex_unlock(&lock);
  if (arg)
    atomic_store(&flag, 1);
  return 0;
}

static void *tries(void *arg) {
  if (atomic_load(&flag) == 0) {
    if (pthread_mutex_trylock(&lock))
      failed = 1;
    else
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
  assert(!failed); //~ assertion
  return 0;
}
