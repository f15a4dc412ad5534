// First the settings are completed, then others see them.
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
  struct settings *complete = malloc(sizeof *complete);
  complete->limit = 10;
  pthread_mutex_lock(&lock);
  settings = complete;
  pthread_mutex_unlock(&lock);
  pthread_join(thread, 0);
  free(settings);
}
