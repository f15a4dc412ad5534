// How a program ends, and what verifiers give to it.
#define _GNU_SOURCE
#include "scheduler.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

// A failure that the function with these frames was called for: what it is, and what of it is compared with the report.
// Where the caller was called from is known if that is the program's own code, which has frame pointers.
#define FAILURE(what, sentence, says, ...)                                                                   \
  do {                                                                                                       \
    unsigned long caller = (unsigned long)__builtin_return_address(0);                                       \
    long place = failure_place(caller), outer = -2;                                                          \
    if (place != -2)                                                                                         \
      outer = failure_place((unsigned long)__builtin_return_address(1));                                     \
    Dl_info known = {0};                                                                                     \
    const char *function = dladdr((void *)(caller - 1), &known) && known.dli_sname ? known.dli_sname : "";   \
    tell(what " " sentence ", in thread %d\nthread %d\nplace %ld\nfunction %s\nouter %ld\nsays " says, \
         __VA_ARGS__);                                                                                       \
  } while (0)
#define COMPARED self, self, place, function, outer

void __assert_fail(const char *condition, const char *file, unsigned line, const char *function_name) {
  FAILURE("assertion", "assertion `%s` failed at %s:%u in %s", "assertion `%s` fails", condition, file, line, function_name,
          COMPARED, condition);
  REAL(__assert_fail);
  real(condition, file, line, function_name);
  abort();
}
void __assert_perror_fail(int error, const char *file, unsigned line, const char *function_name) {
  FAILURE("assertion", "an error at %s:%u in %s", "an error was not expected: %s", file, line, function_name, COMPARED,
          strerror(error));
  _exit(97);
}
// Of the C++ library.
void _ZSt21__glibcxx_assert_failPKciS0_S0_(const char *file, int line, const char *function_name, const char *condition) {
  FAILURE("assertion", "assertion `%s` failed at %s:%d in %s", "assertion `%s` fails", condition, file, line, function_name,
          COMPARED, condition);
  _exit(97);
}
__attribute__((weak)) void reach_error(void) {
  FAILURE("assertion", "reach_error was called", "`reach_error` is reached", COMPARED);
  abort();
}
__attribute__((weak)) void __VERIFIER_error(void) {
  FAILURE("assertion", "__VERIFIER_error was called", "`__VERIFIER_error` is reached", COMPARED);
  abort();
}
void abort(void) {
  FAILURE("abort", "abort was called", "`abort` is called", COMPARED);
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

long chosen(void) {
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
