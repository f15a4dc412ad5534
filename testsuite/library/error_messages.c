//@ verdict: unsafe(assertion)
//@ output: error_messages: while 3: No such file or directory
// Each goes to standard error; the last one ends the process.
#include <assert.h>
#include <err.h>
#include <errno.h>
#include <stdlib.h>
#include <syslog.h>

static void last(void) { assert(errno == 0); } //~ assertion

int main(void) {
  atexit(last);
  errno = ENOENT;
  warn("while %d", 3);
  warnx("only text");
  openlog("name", 0, LOG_USER);
  syslog(LOG_INFO, "value %d", 5);
  errx(0, "the end");
}
