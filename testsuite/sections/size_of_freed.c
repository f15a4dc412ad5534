//@ verdict: unsafe(memory)
//@ source: a section asks for the size of a block that another section may have freed: neither reads or writes the block
#include <malloc.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static sem_t ready, seen;
static int *block;
static size_t size;

static void *looks(void *arg) {
  sem_wait(&ready);
  int *mine = block;
  sem_post(&seen);
  pthread_mutex_lock(&lock);
  size = malloc_usable_size(mine); //~ memory
  pthread_mutex_unlock(&lock);
  return arg;
}

static void *owns(void *arg) {
  int *mine = malloc(16);
  block = mine;
  sem_post(&ready);
  sem_wait(&seen);
  pthread_mutex_lock(&lock);
  free(mine);
  pthread_mutex_unlock(&lock);
  return arg;
}

int main(void) {
  pthread_t threads[2];
  sem_init(&ready, 0, 0);
  sem_init(&seen, 0, 0);
  pthread_create(&threads[0], 0, looks, 0);
  pthread_create(&threads[1], 0, owns, 0);
  for (int i = 0; i < 2; i++)
    pthread_join(threads[i], 0);
  return 0;
}
