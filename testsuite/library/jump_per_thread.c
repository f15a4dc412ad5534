// Each thread has its own contexts; a lock taken behind the first return is still held behind the second one.
//@ verdict: safe
//@ executions: 2
//@ source: two critical sections in both orders
#include <assert.h>
#include <pthread.h>
#include <setjmp.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int sum;

static void fail(jmp_buf to, int value) { longjmp(to, value); }

static void *add(void *value) {
  jmp_buf buffer;
  if (!setjmp(buffer)) {
    pthread_mutex_lock(&lock);
    fail(buffer, *(int *)value);
  }
  sum += *(int *)value;
  pthread_mutex_unlock(&lock);
  return NULL;
}

int main(void) {
  int one = 1, two = 2;
  pthread_t thread;
  pthread_create(&thread, NULL, add, &one);
  add(&two);
  pthread_join(thread, NULL);
  assert(sum == 3);
  return 0;
}
