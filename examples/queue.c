// A bounded queue with one slot, one producer and two consumers. With -DBROKEN the waits are guarded by `if`: a
// consumer that is woken does not look again whether somebody else has been faster.
#include <assert.h>
#include <pthread.h>

#ifdef BROKEN
#define WAIT_WHILE(condition, signal)       \
  if (condition)                            \
    pthread_cond_wait(&signal, &lock)
#else
#define WAIT_WHILE(condition, signal)       \
  while (condition)                         \
    pthread_cond_wait(&signal, &lock)
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_empty = PTHREAD_COND_INITIALIZER;
static pthread_cond_t not_full = PTHREAD_COND_INITIALIZER;
static int slot;
static int filled;

static void put(int value) {
  pthread_mutex_lock(&lock);
  WAIT_WHILE(filled, not_full);
  slot = value;
  filled = 1;
  pthread_cond_signal(&not_empty);
  pthread_mutex_unlock(&lock);
}

static int get(void) {
  pthread_mutex_lock(&lock);
  WAIT_WHILE(!filled, not_empty);
  assert(filled);
  int value = slot;
  filled = 0;
  pthread_cond_signal(&not_full);
  pthread_mutex_unlock(&lock);
  return value;
}

static void *consumer(void *result) {
  *(int *)result = get();
  return 0;
}

int main(void) {
  pthread_t threads[2];
  int results[2];
  for (int i = 0; i < 2; i++)
    pthread_create(&threads[i], 0, consumer, &results[i]);
  put(1);
  put(2);
  for (int i = 0; i < 2; i++)
    pthread_join(threads[i], 0);
  assert(results[0] + results[1] == 3);
  return 0;
}
