//@ verdict: safe
//@ native: run
//@ revisions: m64 m32
//@[m32] cflags: -m32
//@ assumes: fixed-environment
// What the system says of itself, and settings of the process that are kept.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <gnu/libc-version.h>
#include <sched.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

int main(void) {
  struct rlimit files, less, wrong = {2, 1};
  assert(getrlimit(RLIMIT_NOFILE, &files) == 0 && files.rlim_cur <= files.rlim_max);
  less = (struct rlimit){files.rlim_cur - 1, files.rlim_max};
  assert(setrlimit(RLIMIT_NOFILE, &less) == 0 && getrlimit(RLIMIT_NOFILE, &files) == 0);
  assert(files.rlim_cur == less.rlim_cur && getdtablesize() == (int)less.rlim_cur);
  assert(setrlimit(RLIMIT_NOFILE, &wrong) == -1 && errno == EINVAL);
  assert(getrlimit(77, &files) == -1 && errno == EINVAL);
  struct rlimit stack;
  assert(getrlimit(RLIMIT_STACK, &stack) == 0 && stack.rlim_cur >= 1 << 20);

  mode_t before = umask(077);
  assert(umask(before) == 077 && umask(before) == before);

  char name[16];
  assert(prctl(PR_SET_NAME, "a name that is too long") == 0 && prctl(PR_GET_NAME, name) == 0);
  assert(!strcmp(name, "a name that is ") && prctl(PR_SET_DUMPABLE, 1) == 0);
  assert(strstr(program_invocation_name, program_invocation_short_name) && !strchr(program_invocation_short_name, '/'));

  struct utsname system;
  assert(uname(&system) == 0 && !strcmp(system.sysname, "Linux") && *gnu_get_libc_version() == '2');
  assert(gethostname(name, 0) == -1 && getauxval(AT_PAGESZ) == 4096 && sysconf(_SC_OPEN_MAX) > 0);
  assert(sched_get_priority_max(SCHED_FIFO) == 99 && sched_get_priority_min(SCHED_OTHER) == 0);
  cpu_set_t processors;
  assert(sched_getaffinity(0, sizeof processors, &processors) == 0 && CPU_COUNT(&processors) > 0);
  assert(sysconf(_SC_VERSION) == 200809 && sysconf(_SC_HOST_NAME_MAX) == 64);
  return 0;
}
