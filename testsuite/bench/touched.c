// Three bytes of an area of SIZE bytes are used by N threads. -DGLOBAL, -DCALLOC, -DMALLOC, -DLOCAL say what the area is, by default
// a mapping; with -DINSIDE a second mapping comes and goes while the threads run.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>
#ifndef SIZE
#define SIZE (16UL << 10)
#endif
#ifndef N
#define N 4
#endif
#ifdef GLOBAL
static char area[SIZE];
#endif
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char *block;
static int count;
static void *work(void *arg) {
  for (int i = 0; i < 2; i++) {
    pthread_mutex_lock(&lock);
    block[0]++;
    block[SIZE / 2]++;
    block[SIZE - 1]++;
    count++;
    pthread_mutex_unlock(&lock);
  }
  return arg;
}
int main(void) {
  pthread_t t[N];
#ifdef GLOBAL
  block = area;
#elif defined CALLOC
  block = calloc(SIZE, 1);
#elif defined MALLOC
  block = malloc(SIZE);
  block[0] = block[SIZE / 2] = block[SIZE - 1] = 0;
#elif defined LOCAL
  char local[SIZE];
  block = local;
  block[0] = block[SIZE / 2] = block[SIZE - 1] = 0;
#else
  block = mmap(0, SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
#endif
  for (int i = 0; i < N; i++) pthread_create(&t[i], 0, work, 0);
#ifdef INSIDE
  pthread_mutex_lock(&lock);
  char *own = mmap(0, SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  own[0] = own[SIZE / 2] = own[SIZE - 1] = 1;
  munmap(own, SIZE);
  pthread_mutex_unlock(&lock);
#endif
  for (int i = 0; i < N; i++) pthread_join(t[i], 0);
  assert(block[0] == count);
#if defined CALLOC || defined MALLOC
  free(block);
#elif !defined GLOBAL && !defined LOCAL
  munmap(block, SIZE);
#endif
}
