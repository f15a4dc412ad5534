// The thread pool of APR-util (apr_thread_pool.c), of one or two threads: two tasks, both of which have run when the
// pool is destroyed after waiting for them.
#include <apr_general.h>
#include <apr_thread_pool.h>
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int done;

static void *APR_THREAD_FUNC task(apr_thread_t *thread, void *unused) {
  pthread_mutex_lock(&lock);
  done++;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&lock);
  return 0;
}

int main(void) {
  apr_pool_t *memory;
  apr_thread_pool_t *pool;
  assert(apr_initialize() == APR_SUCCESS);
  assert(apr_pool_create(&memory, 0) == APR_SUCCESS);
  assert(apr_thread_pool_create(&pool, 1, 2, memory) == APR_SUCCESS);
  for (int i = 0; i < 2; i++)
    assert(apr_thread_pool_push(pool, task, 0, APR_THREAD_TASK_PRIORITY_NORMAL, 0) == APR_SUCCESS);
  pthread_mutex_lock(&lock);
  while (done < 2)
    pthread_cond_wait(&changed, &lock);
  pthread_mutex_unlock(&lock);
  assert(apr_thread_pool_destroy(pool) == APR_SUCCESS);
  apr_terminate();
}
