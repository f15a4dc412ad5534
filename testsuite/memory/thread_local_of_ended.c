//@ verdict: unsafe(memory)
#include <pthread.h>
static _Thread_local int own = 5;

static void *worker(void *arg) {
  return &own;
}

int main(void) {
  pthread_t t;
  void *result;
  pthread_create(&t, 0, worker, 0);
  pthread_join(t, &result);
  return *(int *)result; //~ memory
}
