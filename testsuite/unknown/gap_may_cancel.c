//@ revisions: gap done never
//@[gap] verdict: unknown(mystery)
//@[gap] cflags: -DBEFORE=mystery() -DCANCEL=pthread_cancel(waiting)
//@[done] verdict: safe
//@[done] naive: no
//@[done] cflags: -DBEFORE=(void)0 -DCANCEL=pthread_cancel(waiting)
//@[never] verdict: unsafe(deadlock)
//@[never] cflags: -DBEFORE=mystery() -DCANCEL=(void)0
// Two threads wait for one another, but the third one, which stays at a call that is not modelled, may cancel the one that
// waits for the other's end. (The naive engine, where it ends an execution early, forgets that the third one may, if it runs.) If nobody cancels anybody that is a deadlock, whatever the third one does.
#include <pthread.h>
extern void mystery(void);
static pthread_t waiting, locking;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void unlock(void *arg) {
  pthread_mutex_unlock(&mutex);
}

static void *lock(void *arg) {
  pthread_mutex_lock(&mutex); //~[never] deadlock
  pthread_mutex_unlock(&mutex);
  return 0;
}

static void *wait(void *arg) {
  pthread_mutex_lock(&mutex);
  pthread_cleanup_push(unlock, 0);
  pthread_create(&locking, 0, lock, 0);
  pthread_join(locking, 0); //~[never] deadlock
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
