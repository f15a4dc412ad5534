// How a program ends, and what verifiers give to it.
#define _GNU_SOURCE
#include "scheduler.h"
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

void __assert_fail(const char *condition, const char *file, unsigned line, const char *function) {
  tell("assertion assertion `%s` failed at %s:%u in %s, in thread %d", condition, file, line, function, self);
  REAL(__assert_fail);
  real(condition, file, line, function);
  abort();
}
__attribute__((weak)) void reach_error(void) {
  tell("assertion reach_error was called in thread %d", self);
  abort();
}
__attribute__((weak)) void __VERIFIER_error(void) {
  reach_error();
}
void abort(void) {
  tell("abort abort was called in thread %d", self);
  REAL(abort);
  real();
  _exit(97);
}

static void end_process(void) {
  struct move *move = turn("exit");
  if (move)
    done(move);
}
int __real_main(int, char **, char **);
int __wrap_main(int count, char **arguments, char **environment) {
  int status = __real_main(count, arguments, environment);
  end_process();
  return status;
}
void exit(int status) {
  REAL(exit);
  end_process();
  real(status);
  _exit(status);
}

// Time passes when the schedule says so.
unsigned sleep(unsigned seconds) {
  (void)seconds;
  return 0;
}
int usleep(unsigned time) {
  (void)time;
  return 0;
}
int nanosleep(const struct timespec *time, struct timespec *left) {
  (void)time, (void)left;
  return 0;
}

__attribute__((weak)) void __VERIFIER_atomic_begin(void) {
  struct move *move = turn("block");
  if (move) {
    in_block = 1;
    // The move is over at the end of the block.
  }
}
__attribute__((weak)) void __VERIFIER_atomic_end(void) {
  if (in_block) {
    in_block = 0;
    done(next_move());
  }
}
__attribute__((weak)) void __VERIFIER_assume(int condition) {
  if (!condition)
    _exit(0);
}
__attribute__((weak)) void assume_abort_if_not(int condition) {
  __VERIFIER_assume(condition);
}

static long chosen(void) {
  struct move *move = turn("choose");
  if (!move)
    return 0;
  long value = move->result;
  done(move);
  return value;
}
#define CHOICE(name, type) \
  __attribute__((weak)) type __VERIFIER_nondet_##name(void) { return (type)chosen(); }
CHOICE(bool, _Bool)
CHOICE(char, char)
CHOICE(uchar, unsigned char)
CHOICE(short, short)
CHOICE(ushort, unsigned short)
CHOICE(int, int)
CHOICE(uint, unsigned)
CHOICE(long, long)
CHOICE(ulong, unsigned long)
CHOICE(longlong, long long)
CHOICE(ulonglong, unsigned long long)
CHOICE(size_t, size_t)
