//@ revisions: hangs overwritten ended
//@[hangs] verdict: safe
//@[hangs] cflags: -DAFTER=sem_wait(&never)
//@[overwritten] verdict: safe
//@[overwritten] cflags: -DAFTER=(block=0,sem_wait(&never))
//@[ended] verdict: unsafe(leak)
//@[ended] cflags: -DAFTER=0
//@ args: --check leak
//@ executions: 1
//@ source: the thread meets the other one only where that is created
// The variable of a thread that hangs still exists when the process ends, but nobody will read it. In a function that cannot
// end the process it is a register, and whether it was overwritten is not told apart: the block is not called lost.
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
static sem_t never;

static void *keep(void *arg) {
  int *block = malloc(sizeof *block); //~[ended] leak
  *block = 1;
  AFTER;
  return arg;
}

int main(void) {
  pthread_t thread;
  sem_init(&never, 0, 0);
  pthread_create(&thread, 0, keep, 0);
  exit(0);
}
