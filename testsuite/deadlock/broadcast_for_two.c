//@ revisions: broadcast signal
//@[broadcast] verdict: safe
//@[signal] verdict: unsafe(deadlock)
//@[signal] cflags: -Dpthread_cond_broadcast=pthread_cond_signal
//@ executions: 10
//@ source: sections A, B of the visitors, P of the porter. P first: 2; A P B and B P A: the rest of the woken one before or after the other: 2 each; P last: 2 orders times 2 (rests, or who is woken)
//@ orders: 3
// One signal for two waiters leaves one of them behind when both wait.
#include "../threads.h"
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int open;

static void *visitor(void *arg) {
  pthread_mutex_lock(&m);
  while (!open)
    pthread_cond_wait(&c, &m); //~[signal] deadlock
  pthread_mutex_unlock(&m);
  return 0;
}

static void *porter(void *arg) {
  pthread_mutex_lock(&m);
  open = 1;
  pthread_cond_broadcast(&c);
  pthread_mutex_unlock(&m);
  return 0;
}

int main(void) {
  run_all(3, (routine *[]){visitor, visitor, porter});
  return 0;
}
