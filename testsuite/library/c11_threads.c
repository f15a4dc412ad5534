//@ verdict: safe
//@ native: run
#include <assert.h>
#include <threads.h>

static mtx_t mutex;
static cnd_t ready;
static int value;

static int produce(void *argument) {
  assert(mtx_lock(&mutex) == thrd_success);
  value = *(int *)argument;
  assert(cnd_signal(&ready) == thrd_success);
  assert(mtx_unlock(&mutex) == thrd_success);
  return -value;
}

int main(void) {
  int number = 42, result;
  thrd_t thread;
  assert(mtx_init(&mutex, mtx_plain) == thrd_success && cnd_init(&ready) == thrd_success);
  assert(thrd_create(&thread, produce, &number) == thrd_success);
  mtx_lock(&mutex);
  while (!value) cnd_wait(&ready, &mutex);
  mtx_unlock(&mutex);
  assert(!thrd_equal(thread, thrd_current()));
  assert(thrd_join(thread, &result) == thrd_success && result == -42);
  assert(mtx_trylock(&mutex) == thrd_success && mtx_trylock(&mutex) == thrd_busy);
  mtx_unlock(&mutex);
  cnd_destroy(&ready);
  mtx_destroy(&mutex);
  return 0;
}
