//@ verdict: unsafe(data-race)
//@ orders: 2
#include "../threads.h"
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void *careful(void *arg) {
  pthread_mutex_lock(&m);
  x = 1; //~ data-race
  pthread_mutex_unlock(&m);
  return 0;
}

static void *careless(void *arg) {
  x = 2; //~ data-race
  return 0;
}

int main(void) {
  run_all(2, (routine *[]){careful, careless});
  return 0;
}
