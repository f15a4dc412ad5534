//@ verdict: unsafe(assertion)
//@ alike: 2
//@ source: the block that is published first may be of either thread, and lie before or behind the other one
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
static atomic_uintptr_t blocks[2];
static atomic_int count;

static void *thread(void *arg) {
  int place = atomic_fetch_add(&count, 1);
  atomic_store(&blocks[place], (uintptr_t)malloc(4));
  return 0;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, thread, 0);
  pthread_create(&second, 0, thread, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  int ascending = blocks[0] < blocks[1];
  free((void *)blocks[0]);
  free((void *)blocks[1]);
  assert(ascending); //~ assertion
  return 0;
}
