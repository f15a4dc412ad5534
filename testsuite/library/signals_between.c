//@ revisions: waits early alone suspends unblocked
//@[waits early alone suspends] verdict: safe
//@[waits early alone suspends] native: run
//@[alone] cflags: -DALONE
//@[early] cflags: -DEARLY
//@[suspends] cflags: -DSUSPENDS
//@[unblocked] verdict: unknown(the end of blocking a signal that another thread has sent)
//@[unblocked] cflags: -DUNBLOCKED
// Signals between threads that were blocked before there was a second one: who is to take one need not wait for it yet.
// One for the process is taken by whoever waits for it.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <unistd.h>

static sigset_t set, before;
static int caught;
static void handler(int number) { caught = number; }

static void *take(void *arg) {
  sigset_t mine;
  assert(pthread_sigmask(SIG_BLOCK, NULL, &mine) == 0 && sigismember(&mine, SIGUSR1) && !sigismember(&mine, SIGHUP));
#ifdef UNBLOCKED
  pthread_sigmask(SIG_UNBLOCK, &set, NULL);
  signal(SIGUSR1, handler);
#endif
  sigset_t one;
  sigemptyset(&one);
  sigaddset(&one, SIGUSR1);
  int number;
  assert(sigwait(&one, &number) == 0 && number == SIGUSR1);
  return arg;
}

static void *send(void *arg) {
  assert(kill(getpid(), 0) == 0 && kill(getpid(), SIGUSR2) == 0);
  return arg;
}

int main(void) {
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  sigaddset(&set, SIGUSR2);
  signal(SIGUSR2, handler);
  assert(kill(getpid(), SIGUSR2) == 0 && caught == SIGUSR2);
  caught = 0;
  assert(pthread_sigmask(SIG_BLOCK, &set, &before) == 0);
  pthread_t thread;
#ifdef ALONE
  // For the process, though there is one thread: another one takes it later.
  assert(kill(getpid(), SIGUSR1) == 0 && caught == 0);
  pthread_create(&thread, 0, take, 0);
#elif defined SUSPENDS
  pthread_create(&thread, 0, send, 0);
  assert(sigsuspend(&before) == -1 && errno == EINTR && caught == SIGUSR2);
#else
  pthread_create(&thread, 0, take, 0);
#ifdef EARLY
  send(0);
  int number;
  assert(sigwait(&set, &number) == 0 && number == SIGUSR2);
#endif
  assert(pthread_kill(thread, SIGUSR1) == 0);
#endif
  pthread_join(thread, 0);
  assert(pthread_sigmask(SIG_SETMASK, &before, NULL) == 0);
  return 0;
}
