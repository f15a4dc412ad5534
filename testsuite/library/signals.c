//@ verdict: safe
//@ native: run
//@ revisions: m64 m32
//@[m32] cflags: -m32
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>

static int caught;
static void handler(int number) { caught = number; }

int main(void) {
  assert(signal(SIGPIPE, SIG_IGN) == SIG_DFL && raise(SIGPIPE) == 0);
  struct sigaction new = {.sa_handler = handler}, old;
  sigemptyset(&new.sa_mask);
  assert(sigaction(SIGUSR1, &new, NULL) == 0 && raise(SIGUSR1) == 0 && caught == SIGUSR1);
  assert(sigaction(SIGUSR1, NULL, &old) == 0 && old.sa_handler == handler);
  assert(sigaction(99, &new, NULL) == -1 && errno == EINVAL);
  sigset_t set;
  sigfillset(&set);
  sigdelset(&set, SIGINT);
  assert(sigismember(&set, SIGTERM) == 1 && sigismember(&set, SIGINT) == 0 && sigaddset(&set, SIGINT) == 0);
  assert(pthread_sigmask(SIG_BLOCK, &set, NULL) == 0);
  char *page = mmap(NULL, 5000, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  assert(page != MAP_FAILED && page[4999] == 0);
  page[0] = 1;
  assert(munmap(page, 5000) == 0);
  return 0;
}
