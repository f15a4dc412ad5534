// Whoever comes first makes the table.
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int *table;

static void *worker(void *unused) {
  pthread_mutex_lock(&lock);
  int missing = table == 0;
  pthread_mutex_unlock(&lock);
  if (missing) {
    int *made = calloc(16, sizeof *made);
    pthread_mutex_lock(&lock);
    table = made; // somebody else may have made one
    pthread_mutex_unlock(&lock);
  }
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, worker, 0);
  worker(0);
  pthread_join(thread, 0);
  free(table);
}
