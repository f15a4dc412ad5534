// The functions of POSIX threads that are moves of a schedule. What the schedule has happens as it says; what comes
// behind it is left to the C library.
#define _GNU_SOURCE
#include "scheduler.h"
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

// A function that is one move, of this kind, and does what it always does.
#define MOVE(kind, name, parameters, arguments) \
  int name parameters {                         \
    REAL(name);                                 \
    struct move *move = turn(kind);             \
    if (!move)                                  \
      blocks_in(#name);                         \
    int result = real arguments;                \
    blocks_in(0);                               \
    if (move)                                   \
      done(move);                               \
    return result;                              \
  }

// One that may give up: the schedule says whether it does. If not, it gets by `patient` what it wants.
#define ATTEMPT(kind, name, parameters, arguments, patient, object, failure) \
  int name parameters {                                                      \
    REAL(name);                                                              \
    struct move *move = turn(kind);                                          \
    if (!move) {                                                             \
      blocks_in(#name);                                                      \
      int result = real arguments;                                           \
      blocks_in(0);                                                          \
      return result;                                                         \
    }                                                                        \
    long result = move->result;                                              \
    if (result == 0) {                                                       \
      __typeof__(&patient) get = (__typeof__(&patient))dlsym(RTLD_NEXT, #patient); \
      result = get(object);                                                  \
      done(move);                                                            \
      return (int)result;                                                    \
    }                                                                        \
    done(move);                                                              \
    return failure(result);                                                  \
  }

static int number(long error) {
  return (int)error;
}
static int in_errno(long error) {
  errno = (int)error;
  return -1;
}

MOVE("lock", pthread_mutex_lock, (pthread_mutex_t *mutex), (mutex))
ATTEMPT("lock", pthread_mutex_trylock, (pthread_mutex_t *mutex), (mutex), pthread_mutex_lock, mutex, number)
ATTEMPT("lock", pthread_mutex_timedlock, (pthread_mutex_t *mutex, const struct timespec *time), (mutex, time), pthread_mutex_lock, mutex, number)
MOVE("unlock", pthread_mutex_unlock, (pthread_mutex_t *mutex), (mutex))
MOVE("destroy", pthread_mutex_destroy, (pthread_mutex_t *mutex), (mutex))

MOVE("lock", pthread_rwlock_rdlock, (pthread_rwlock_t *lock), (lock))
MOVE("lock", pthread_rwlock_wrlock, (pthread_rwlock_t *lock), (lock))
ATTEMPT("lock", pthread_rwlock_tryrdlock, (pthread_rwlock_t *lock), (lock), pthread_rwlock_rdlock, lock, number)
ATTEMPT("lock", pthread_rwlock_trywrlock, (pthread_rwlock_t *lock), (lock), pthread_rwlock_wrlock, lock, number)
ATTEMPT("lock", pthread_rwlock_timedrdlock, (pthread_rwlock_t *lock, const struct timespec *time), (lock, time), pthread_rwlock_rdlock, lock, number)
ATTEMPT("lock", pthread_rwlock_timedwrlock, (pthread_rwlock_t *lock, const struct timespec *time), (lock, time), pthread_rwlock_wrlock, lock, number)
MOVE("unlock", pthread_rwlock_unlock, (pthread_rwlock_t *lock), (lock))
MOVE("destroy", pthread_rwlock_destroy, (pthread_rwlock_t *lock), (lock))

MOVE("lock", pthread_spin_lock, (pthread_spinlock_t *lock), (lock))
ATTEMPT("lock", pthread_spin_trylock, (pthread_spinlock_t *lock), (lock), pthread_spin_lock, lock, number)
MOVE("unlock", pthread_spin_unlock, (pthread_spinlock_t *lock), (lock))
MOVE("destroy", pthread_spin_destroy, (pthread_spinlock_t *lock), (lock))

MOVE("init", sem_init, (sem_t *semaphore, int shared, unsigned value), (semaphore, shared, value))
MOVE("take", sem_wait, (sem_t *semaphore), (semaphore))
ATTEMPT("take", sem_trywait, (sem_t *semaphore), (semaphore), sem_wait, semaphore, in_errno)
ATTEMPT("take", sem_timedwait, (sem_t *semaphore, const struct timespec *time), (semaphore, time), sem_wait, semaphore, in_errno)
MOVE("post", sem_post, (sem_t *semaphore), (semaphore))
MOVE("look", sem_getvalue, (sem_t *semaphore, int *value), (semaphore, value))
MOVE("destroy", sem_destroy, (sem_t *semaphore), (semaphore))

MOVE("init", pthread_barrier_init, (pthread_barrier_t *barrier, const pthread_barrierattr_t *attributes, unsigned count), (barrier, attributes, count))
MOVE("destroy", pthread_barrier_destroy, (pthread_barrier_t *barrier), (barrier))
MOVE("join", pthread_join, (pthread_t thread, void **value), (thread, value))

// A thread that arrives waits for the others outside its turn.
int pthread_barrier_wait(pthread_barrier_t *barrier) {
  REAL(pthread_barrier_wait);
  struct move *arrives = turn("arrive");
  if (arrives)
    done(arrives);
  blocks_in("pthread_barrier_wait");
  int result = real(barrier);
  blocks_in(0);
  struct move *leaves = arrives && next_move() ? turn("leave") : 0;
  if (leaves) {
    result = (int)leaves->result;
    done(leaves);
  }
  return result;
}

// A thread that is woken or gives up in the schedule only waits for its turn; the others wait for good. So it is known
// which one a signal wakes.
static int wait(pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *time) {
  static __typeof__(&pthread_mutex_unlock) unlock;
  static __typeof__(&pthread_mutex_lock) lock;
  static __typeof__(&pthread_cond_wait) wait_for_good;
  static __typeof__(&pthread_cond_timedwait) wait_for_a_time;
  unlock = (__typeof__(unlock))dlsym(RTLD_NEXT, "pthread_mutex_unlock");
  lock = (__typeof__(lock))dlsym(RTLD_NEXT, "pthread_mutex_lock");
  wait_for_good = (__typeof__(wait_for_good))dlvsym(RTLD_NEXT, "pthread_cond_wait", "GLIBC_2.3.2");
  wait_for_a_time = (__typeof__(wait_for_a_time))dlvsym(RTLD_NEXT, "pthread_cond_timedwait", "GLIBC_2.3.2");
  struct move *move = turn("wait");
  int woken = move && (move->other || move->next);
  if (!woken) {
    if (move)
      done(move);
    blocks_in("pthread_cond_wait");
    int result = time && !move ? wait_for_a_time(condition, mutex, time) : wait_for_good(condition, mutex);
    blocks_in(0);
    return result;
  }
  unlock(mutex);
  done(move);
  while (next_move()) {
    int gives_up = strcmp(next_move()->kind, "give-up") == 0;
    move = turn(gives_up ? "give-up" : "reacquire");
    long result = move->result;
    if (!gives_up)
      lock(mutex);
    done(move);
    if (!gives_up)
      return (int)result;
  }
  // It was woken, and does not get the mutex as far as the schedule goes.
  turn("reacquire");
  blocks_in("pthread_cond_wait");
  int result = lock(mutex);
  blocks_in(0);
  return result;
}
int pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *mutex) {
  return wait(condition, mutex, 0);
}
int pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *time) {
  return wait(condition, mutex, time);
}
#define WAKE(name)                               \
  int name(pthread_cond_t *condition) {          \
    struct move *move = turn("wake");            \
    if (move) {                                  \
      done(move);                                \
      return 0;                                  \
    }                                            \
    static int (*real)(pthread_cond_t *);        \
    real = (int (*)(pthread_cond_t *))dlvsym(RTLD_NEXT, #name, "GLIBC_2.3.2"); \
    return real(condition);                      \
  }
WAKE(pthread_cond_signal)
WAKE(pthread_cond_broadcast)
// The real one would wait for the threads that wait for good.
int pthread_cond_destroy(pthread_cond_t *condition) {
  (void)condition;
  struct move *move = turn("destroy");
  if (move)
    done(move);
  return 0;
}

// What a new thread runs, and its number.
struct birth {
  void *(*routine)(void *);
  void *argument;
  int number;
};
static void *run(void *given) {
  struct birth birth = *(struct birth *)given;
  free(given);
  begin(birth.number);
  void *value = birth.routine(birth.argument);
  settle();
  return value;
}
int pthread_create(pthread_t *handle, const pthread_attr_t *attributes, void *(*routine)(void *), void *argument) {
  REAL(pthread_create);
  struct move *move = turn("create");
  struct birth *birth = malloc(sizeof *birth);
  *birth = (struct birth){routine, argument, move ? (int)move->other : -1};
  created++;
  int result = real(handle, attributes, run, birth);
  if (move)
    done(move);
  return result;
}

static __thread void (*once_routine)(void);
static void run_once(void) {
  once_routine();
  struct move *move = turn("once-end");
  if (move)
    done(move);
}
int pthread_once(pthread_once_t *control, void (*routine)(void)) {
  REAL(pthread_once);
  struct move *move = turn("once");
  if (move)
    done(move);
  once_routine = routine;
  blocks_in("pthread_once");
  int result = real(control, run_once);
  blocks_in(0);
  return result;
}
