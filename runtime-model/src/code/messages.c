// Messages to standard error: <err.h>, <error.h>, <syslog.h>.
#include "library.h"

int __verify_output(int, const void *, size_t);
char **__verify_arguments(void);
int vasprintf(char **, const char *, va_list);
_Noreturn void exit(int);

unsigned error_message_count;
int error_one_per_line;

static void print(const char *text) { __verify_output(2, text, strlen(text)); }

static void print_formatted(const char *format, va_list values) {
  char *text;
  if (vasprintf(&text, format, values) >= 0) {
    print(text);
    free(text);
  }
}

static void name(void) {
  const char *program = __verify_arguments()[0], *base = strrchr(program, '/');
  print(base ? base + 1 : program);
}

// -1 stands for no error.
static void message(int error, const char *format, va_list values) {
  __verify_may_be_cancelled();
  name();
  print(": ");
  if (format) {
    print_formatted(format, values);
    if (error >= 0)
      print(": ");
  }
  if (error >= 0)
    print(strerror(error));
  print("\n");
}

void vwarn(const char *format, va_list values) { message(errno, format, values); }
void vwarnx(const char *format, va_list values) { message(-1, format, values); }
_Noreturn void verr(int status, const char *format, va_list values) {
  message(errno, format, values);
  exit(status);
}
_Noreturn void verrx(int status, const char *format, va_list values) {
  message(-1, format, values);
  exit(status);
}
void warn(const char *format, ...) {
  va_list values;
  va_start(values, format);
  vwarn(format, values);
  va_end(values);
}
void warnx(const char *format, ...) {
  va_list values;
  va_start(values, format);
  vwarnx(format, values);
  va_end(values);
}
_Noreturn void err(int status, const char *format, ...) {
  va_list values;
  va_start(values, format);
  verr(status, format, values);
}
_Noreturn void errx(int status, const char *format, ...) {
  va_list values;
  va_start(values, format);
  verrx(status, format, values);
}

void error(int status, int number, const char *format, ...) {
  va_list values;
  va_start(values, format);
  message(number ? number : -1, format, values);
  va_end(values);
  error_message_count++;
  if (status)
    exit(status);
}

void openlog(const char *identity, int options, int facility) { (void)identity, (void)options, (void)facility, __verify_may_be_cancelled(); }
void closelog(void) { __verify_may_be_cancelled(); }
static _Atomic int logged = 0xff;
int setlogmask(int mask) { return mask ? __c11_atomic_exchange(&logged, mask, __ATOMIC_SEQ_CST) : logged; }
void vsyslog(int priority, const char *format, va_list values) {
  (void)priority;
  __verify_may_be_cancelled();
  print_formatted(format, values);
  print("\n");
}
void syslog(int priority, const char *format, ...) {
  va_list values;
  va_start(values, format);
  vsyslog(priority, format, values);
  va_end(values);
}

// The GNU form may leave the buffer alone.
char *strerror_r(int number, char *buffer, size_t room) { return (void)buffer, (void)room, strerror(number); }
int __xpg_strerror_r(int number, char *buffer, size_t room) {
  const char *text = strerror(number);
  size_t length = strlen(text);
  if (room) {
    size_t copied = length < room ? length : room - 1;
    __builtin_memcpy(buffer, text, copied);
    buffer[copied] = 0;
  }
  return length < room ? 0 : 34;
}
