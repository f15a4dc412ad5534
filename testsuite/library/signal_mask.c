//@ revisions: main thread sets inherits guesses
//@[main sets] verdict: safe
//@[main sets thread inherits] native: run
//@[thread inherits] verdict: safe
//@[guesses] verdict: unknown(the signal mask of a thread that may have begun with blocked signals is not modelled)
//@[thread] cflags: -DROUTINE=asks
//@[sets] cflags: -DROUTINE=says -DBLOCKED
//@[inherits] cflags: -DROUTINE=asks -DBLOCKED
//@[guesses] cflags: -DROUTINE=asks -DLATER
// What a thread blocks is a value. A signal that it raises meanwhile is handled when it is not blocked any more, or taken by sigwait.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#ifdef BLOCKED
#define INHERITED 1
#else
#define INHERITED 0
#endif

static int caught;
static void handler(int number) { caught = number; }

static void *asks(void *arg) {
  sigset_t old;
  assert(pthread_sigmask(SIG_BLOCK, NULL, &old) == 0 && sigismember(&old, SIGUSR2) == INHERITED);
  return arg;
}

static void *says(void *arg) {
  sigset_t set, old;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  assert(pthread_sigmask(SIG_SETMASK, &set, NULL) == 0 && pthread_sigmask(SIG_BLOCK, NULL, &old) == 0);
  assert(sigismember(&old, SIGUSR1) && !sigismember(&old, SIGUSR2));
  return arg;
}

int main(void) {
  sigset_t all, old, now;
  sigfillset(&all);
  signal(SIGUSR1, handler);
  pthread_t thread;
#ifdef ROUTINE
#ifdef BLOCKED
  pthread_sigmask(SIG_BLOCK, &all, NULL);
#endif
  pthread_create(&thread, 0, ROUTINE, 0);
#ifdef LATER
  pthread_sigmask(SIG_BLOCK, &all, NULL);
#endif
  pthread_join(thread, 0);
  return 0;
#endif
  assert(pthread_sigmask(SIG_SETMASK, &all, &old) == 0 && !sigismember(&old, SIGUSR1));
  assert(pthread_sigmask(SIG_UNBLOCK, NULL, &now) == 0 && sigismember(&now, SIGUSR1) && !sigismember(&now, SIGKILL));
  assert(raise(SIGUSR1) == 0 && caught == 0 && sigpending(&now) == 0 && sigismember(&now, SIGUSR1));
  int taken = 0;
  assert(sigwait(&all, &taken) == 0 && taken == SIGUSR1 && caught == 0);
  assert(raise(SIGUSR1) == 0 && pthread_sigmask(SIG_SETMASK, &old, &now) == 0 && caught == SIGUSR1);
  assert(sigismember(&now, SIGUSR1) && pthread_sigmask(7, &old, NULL) != 0);
  caught = 0;
  assert(pthread_kill(pthread_self(), 0) == 0 && pthread_kill(pthread_self(), SIGUSR1) == 0 && caught == SIGUSR1);
  return 0;
}
