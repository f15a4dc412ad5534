// The lock is held from the question to the answer.
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int *table;

static void *worker(void *unused) {
  pthread_mutex_lock(&lock);
  if (table == 0)
    table = calloc(16, sizeof *table);
  pthread_mutex_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, worker, 0);
  worker(0);
  pthread_join(thread, 0);
  free(table);
}
