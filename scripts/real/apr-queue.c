// The queue of APR-util (apr_queue.c) on APR's pools, mutexes and condition variables: two threads push into a queue
// for one, main pops both, and then a thread that pops is told that the queue has ended.
#include <apr_general.h>
#include <apr_queue.h>
#include <apr_thread_proc.h>
#include <assert.h>

static apr_queue_t *queue;
static int items[2] = {1, 2};

static void *APR_THREAD_FUNC push(apr_thread_t *thread, void *item) {
  assert(apr_queue_push(queue, item) == APR_SUCCESS);
  return 0;
}

static void *APR_THREAD_FUNC pop(apr_thread_t *thread, void *unused) {
  void *item;
  assert(apr_queue_pop(queue, &item) == APR_EOF);
  return 0;
}

int main(void) {
  apr_pool_t *pool;
  apr_thread_t *threads[3];
  apr_status_t status;
  assert(apr_initialize() == APR_SUCCESS);
  assert(apr_pool_create(&pool, 0) == APR_SUCCESS);
  assert(apr_queue_create(&queue, 1, pool) == APR_SUCCESS);
  for (int i = 0; i < 2; i++)
    assert(apr_thread_create(&threads[i], 0, push, &items[i], pool) == APR_SUCCESS);
  int sum = 0;
  for (int i = 0; i < 2; i++) {
    void *item;
    assert(apr_queue_pop(queue, &item) == APR_SUCCESS);
    sum += *(int *)item;
  }
  assert(sum == 3 && apr_queue_size(queue) == 0);
  assert(apr_thread_create(&threads[2], 0, pop, 0, pool) == APR_SUCCESS);
  assert(apr_queue_term(queue) == APR_SUCCESS);
  for (int i = 0; i < 3; i++)
    apr_thread_join(&status, threads[i]);
  apr_terminate();
}
