//@ revisions: during after
//@[during] verdict: unsafe(data-race)
//@[during] cflags: -DDURING
//@[after] verdict: safe
//@[after] native: run
#include <pthread.h>

static void *worker(void *arg) {
  *(int *)arg += 1; //~[during] data-race
  return 0;
}

int main(void) {
  int local = 1;
  pthread_t t;
  pthread_create(&t, 0, worker, &local);
#ifdef DURING
  local = 2; //~[during] data-race
#endif
  pthread_join(t, 0);
  return local == 2 ? 0 : 1;
}
