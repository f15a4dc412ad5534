//@ verdict: unsafe(leak)
// A pointer is written in two halves. Which of two stores of one half comes last is read by nobody but who looks for leaks: if
// it is that of 0, nothing leads to the block.
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
static union {
  void *whole;
  atomic_uint half[2];
} kept;
static uintptr_t block;

static void *keep(void *arg) {
  atomic_store(&kept.half[0], (unsigned)block);
  return 0;
}

static void *lose(void *arg) {
  atomic_store(&kept.half[0], 0);
  return 0;
}

int main(void) {
  void *made = malloc(4); //~ leak
  block = (uintptr_t)made;
  made = 0;
  atomic_store(&kept.half[1], (unsigned)(block >> 32));
  pthread_t threads[2];
  pthread_create(&threads[0], 0, lose, 0);
  pthread_create(&threads[1], 0, keep, 0);
  pthread_join(threads[0], 0);
  pthread_join(threads[1], 0);
  block = 0;
  return 0;
}
