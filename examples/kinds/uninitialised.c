// The settings are seen by others before they are complete.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

struct settings {
  int limit;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct settings *settings;

static void *worker(void *unused) {
  pthread_mutex_lock(&lock);
  if (settings && settings->limit > 5)
    puts("a high limit");
  pthread_mutex_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, worker, 0);
  pthread_mutex_lock(&lock);
  settings = malloc(sizeof *settings);
  pthread_mutex_unlock(&lock);
  pthread_mutex_lock(&lock);
  settings->limit = 10;
  pthread_mutex_unlock(&lock);
  pthread_join(thread, 0);
  free(settings);
}
