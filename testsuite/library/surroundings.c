//@ verdict: safe
//@ native: run
//@ revisions: m64 m32
//@[m32] cflags: -m32
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

int main(void) {
  time_t now = time(NULL), again;
  assert(time(&again) == again && again >= now);
  struct timespec a, b, wrong = {0, 2000000000}, tick = {0, 1};
  assert(clock_gettime(CLOCK_MONOTONIC, &a) == 0 && clock_gettime(CLOCK_MONOTONIC, &b) == 0);
  assert(b.tv_sec > a.tv_sec || (b.tv_sec == a.tv_sec && b.tv_nsec >= a.tv_nsec));
  struct timeval day;
  assert(gettimeofday(&day, NULL) == 0 && day.tv_usec < 1000000);
  assert(clock() >= 0 && difftime(5, 3) == 2);
  assert(nanosleep(&wrong, NULL) == -1 && errno == EINVAL);
  assert(nanosleep(&tick, NULL) == 0 && usleep(1) == 0 && sched_yield() == 0);
  assert(getpid() > 0 && sysconf(_SC_NPROCESSORS_ONLN) > 0 && sysconf(_SC_PAGESIZE) == 4096);
  assert(sysconf(_SC_THREAD_THREADS_MAX) == -1 && sysconf(_SC_IOV_MAX) == 1024);
  assert(getenv("A_NAME_THAT_NOBODY_USES") == NULL);
  return 0;
}
