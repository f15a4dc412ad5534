//@ verdict: safe
//@ revisions: n100 n2000
//@[n100] cflags: -DN=100
//@[n2000] cflags: -DN=2000
//@[n100] executions: 101
//@[n2000] executions: 2001
//@ naive: no
//@ source: the only store comes after one of 0, ..., N - 1 reads in vain, or after the last one of N
// A wait that gives up: every read but the last one has another future. So each turn is explored, and the writes of all turns are in conflict with the reads of all before.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int flag;

static void *thread(void *arg) {
  atomic_store(&flag, 1);
  return 0;
}

int main(void) {
  pthread_t thread_id;
  pthread_create(&thread_id, 0, thread, 0);
  int left = N;
  while (!atomic_load(&flag) && --left)
    ;
  assert(0 <= left && left <= N);
  pthread_join(thread_id, 0);
  return 0;
}
