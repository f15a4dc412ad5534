//@ revisions: right m32 shared bits never early
//@ verdict: safe
//@[never early] verdict: unsafe(deadlock)
//@[right m32 shared bits] executions: 3
//@[right m32 shared bits] source: the flag is read behind its store; or before, and looked at by the call behind it, or before
//@[right m32 shared bits] native: run
//@[m32] cflags: -m32
//@[shared] cflags: -DWAIT=FUTEX_WAIT -DWAKE=FUTEX_WAKE
//@[bits] cflags: -DWAIT=FUTEX_WAIT_BITSET_PRIVATE -DWAKE=FUTEX_WAKE_BITSET_PRIVATE
//@[never] cflags: -DAFTER=(void)0
//@[early] cflags: -DBEFORE=wake() -DAFTER=(void)0
// A thread waits for a flag. Without a wake-up behind the store it may wait for ever.
#include "futex.h"
#include <assert.h>
#include <pthread.h>
#ifndef WAIT
#define WAIT FUTEX_WAIT_PRIVATE
#define WAKE FUTEX_WAKE_PRIVATE
#endif
static atomic_uint ready;
static int data;

static void wake(void) {
  long woken = syscall(SYS_futex, &ready, WAKE, INT_MAX, (void *)0, (void *)0, FUTEX_BITSET_MATCH_ANY);
  assert(woken == 0 || woken == 1);
}
#ifndef BEFORE
#define BEFORE (void)0
#endif
#ifndef AFTER
#define AFTER wake()
#endif

static void *waits(void *arg) {
  while (!ready) {
    long result = syscall(SYS_futex, &ready, WAIT, 0, (void *)0, (void *)0, FUTEX_BITSET_MATCH_ANY); //~[never early] deadlock
    assert(result == 0 || errno == EAGAIN);
  }
  assert(data == 1);
  return arg;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, waits, 0);
  data = 1;
  BEFORE;
  ready = 1;
  AFTER;
  pthread_join(thread, 0);
}
