// Runs programs of a file again and again, each time in a process of its own, until one fails.
//   driver REPEATS NUMBER…
#define _GNU_SOURCE
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

int run_one(int argc, char **argv);

static unsigned long seed;
static _Thread_local unsigned long state;

static unsigned long number(void) {
  if (state == 0) state = seed ^ (unsigned long)&state;
  state ^= state << 13;
  state ^= state >> 7;
  return state ^= state << 17;
}

// Comes before every statement of the programs. (The library's function would be a cancellation point.)
void delay(void) {
  unsigned long n = number();
  if (n % 8 == 0) sched_yield();
  else if (n % 8 == 1) syscall(SYS_nanosleep, &(struct timespec){0, (long)(n >> 8) % 60000}, 0);
  else if (n % 8 == 2) for (volatile int i = 0; i < (int)(n >> 8) % 500; i++) {}
}

_Bool __VERIFIER_nondet_bool(void) { return number() >> 20 & 1; }
void __VERIFIER_assume(int holds) { if (!holds) _exit(0); }

int main(int argc, char **argv) {
  dup2(1, 2);
  for (int at = 2; at < argc; at++) {
    printf("\n@@ begins %s\n", argv[at]);
    fflush(stdout);
    int status = 0, repeat = 0;
    for (; repeat < atoi(argv[1]) && status == 0; repeat++) {
      struct timespec now;
      clock_gettime(CLOCK_MONOTONIC, &now);
      seed = now.tv_nsec * 0x9e3779b97f4a7c15ul + repeat;
      pid_t child = fork();
      if (child == 0) {
        alarm(20);
        exit(run_one(atoi(argv[at]) + 1, argv));
      }
      waitpid(child, &status, 0);
    }
    printf("\n@@ ends %s status %d after %d\n", argv[at], status, repeat);
  }
}
