//@ verdict: unsafe(leak)
//@ alike: 2
//@ source: the thread that comes second returns the only address of the block. If main has joined that one when it hangs, nothing leads to the block; if the other one, the result does, for it can still be fetched. There are two orders of the additions
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>
static _Atomic uintptr_t block;
static atomic_int count;
static sem_t never;

static void *thread(void *arg) {
  if (atomic_fetch_add(&count, 1) == 1)
    return (void *)atomic_exchange(&block, 0);
  return 0;
}

static void *hangs(void *arg) {
  sem_wait(&never);
  return 0;
}

static void *ends(void *arg) { _exit(0); }

int main(void) {
  pthread_t first, second, one, other;
  block = (uintptr_t)malloc(4); //~ leak
  sem_init(&never, 0, 0);
  pthread_create(&one, 0, hangs, 0);
  pthread_create(&other, 0, ends, 0);
  pthread_create(&first, 0, thread, 0);
  pthread_create(&second, 0, thread, 0);
  pthread_join(first, 0);
  pthread_join(one, 0);
  pthread_join(second, 0);
  return 0;
}
