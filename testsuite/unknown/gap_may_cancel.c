//@ revisions: gap done never other spins serves alone
//@[gap] verdict: unknown(mystery)
//@[gap] cflags: -DBEFORE=mystery() -DCANCEL=pthread_cancel(waiting)
//@[done] verdict: safe
//@[done] cflags: -DBEFORE=(void)0 -DCANCEL=pthread_cancel(waiting)
//@[never other spins serves alone] verdict: unsafe(deadlock)
//@[never] cflags: -DBEFORE=mystery() -DCANCEL=(void)0
//@[other] cflags: -DBEFORE=(void)0 -DCANCEL=pthread_cancel(pthread_self())
//@[spins] cflags: -DBEFORE=while(!flag){} -DCANCEL=pthread_cancel(waiting)
//@[serves] cflags: -DBEFORE=for(;;)flag=!flag -DCANCEL=pthread_cancel(waiting)
//@[alone] cflags: -DBEFORE=while(!flag){} -DCANCEL=pthread_cancel(waiting)
//@[alone] args: --check deadlock
//@[spins serves alone] cutoffs: needed
// Two threads wait for one another, but the third one, which stays at a call that is not modelled, may cancel the one that
// waits for the other's end. If nobody cancels anybody that is a deadlock, whatever the third one does, also if it
// goes on for ever before it would.
#include <pthread.h>
extern void mystery(void);
static _Atomic int flag;
static pthread_t waiting, locking;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void unlock(void *arg) {
  pthread_mutex_unlock(&mutex);
}

static void *lock(void *arg) {
  pthread_mutex_lock(&mutex); //~[never other spins serves alone] deadlock
  pthread_mutex_unlock(&mutex);
  return 0;
}

static void *wait(void *arg) {
  pthread_mutex_lock(&mutex);
  pthread_cleanup_push(unlock, 0);
  pthread_create(&locking, 0, lock, 0);
  pthread_join(locking, 0); //~[never other spins serves alone] deadlock
  pthread_cleanup_pop(1);
  return 0;
}

int main(void) {
  pthread_create(&waiting, 0, wait, 0);
  BEFORE;
  CANCEL;
  pthread_join(waiting, 0);
  return 0;
}
