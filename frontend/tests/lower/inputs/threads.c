#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int counter;
static _Atomic(int *) pointer;
static _Thread_local long mine = 3;

static void *worker(void *argument) {
  int old = atomic_fetch_add(&counter, 1);
  atomic_fetch_or_explicit(&counter, 4, memory_order_relaxed);
  while (!atomic_compare_exchange_weak_explicit(&counter, &old, old + 2, memory_order_acq_rel, memory_order_acquire))
    ;
  pthread_mutex_lock(&lock);
  mine += old;
  pthread_mutex_unlock(&lock);
  atomic_store_explicit(&pointer, argument, memory_order_release);
  atomic_thread_fence(memory_order_seq_cst);
  atomic_signal_fence(memory_order_acquire);
  return argument;
}
int main(void) {
  pthread_t thread;
  int data = 0;
  pthread_create(&thread, NULL, worker, &data);
  pthread_join(thread, NULL);
  return *atomic_load_explicit(&pointer, memory_order_consume);
}
