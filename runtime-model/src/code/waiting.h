// Waiting for a condition in library functions that are cancellation points.
#pragma once
#include "files.h"

typedef struct {
  long words[6];
} Condition;
int pthread_cond_wait(Condition *, Mutex *);
int pthread_cond_timedwait(Condition *, Mutex *, const void *time);
int pthread_cond_broadcast(Condition *);

// What pthread_cleanup_push is made of. The buffer is larger than glibc's.
typedef struct {
  long words[16];
} Cleanup;
int __sigsetjmp(Cleanup *, int) __attribute__((returns_twice));
void __pthread_register_cancel(Cleanup *);
void __pthread_unregister_cancel(Cleanup *);
_Noreturn void __pthread_unwind_next(Cleanup *);

// Waits, up to that time if there is one. A thread that is asked to end then undoes what it did, if there is anything
// to undo, and gives the lock back.
static inline int wait_cleanly(Condition *condition, Mutex *lock, const void *time, void (*undo)(void *), void *what) {
  Cleanup cleanup;
  if (__sigsetjmp(&cleanup, 0)) {
    if (undo)
      undo(what);
    pthread_mutex_unlock(lock);
    __pthread_unwind_next(&cleanup);
  }
  __pthread_register_cancel(&cleanup);
  int result = time ? pthread_cond_timedwait(condition, lock, time) : pthread_cond_wait(condition, lock);
  __pthread_unregister_cancel(&cleanup);
  return result;
}
