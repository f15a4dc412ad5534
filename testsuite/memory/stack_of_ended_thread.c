//@ verdict: unsafe(memory)
#include <pthread.h>

static void *worker(void *arg) {
  int local = 7;
  int *volatile escaped = &local;
  return escaped;
}

int main(void) {
  pthread_t t;
  void *result;
  pthread_create(&t, 0, worker, 0);
  pthread_join(t, &result);
  return *(int *)result; //~ memory
}
