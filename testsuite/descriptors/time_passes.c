//@ verdict: safe
//@ native: run
//@ assumes: fixed-clock
//@ source: time passes while a thread waits
//@ naive: no
// The clock shows that a thread waited for its time, or for a timer.
#include <assert.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

static long now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000000000l + time.tv_nsec;
}

int main(void) {
  int timer = timerfd_create(CLOCK_MONOTONIC, 0), list = epoll_create1(0), counter = eventfd(0, 0);
  struct itimerspec soon = {.it_value = {0, 10000000}, .it_interval = {0, 20000000}};
  struct epoll_event event = {.events = EPOLLIN}, found;
  uint64_t times;
  assert(epoll_ctl(list, EPOLL_CTL_ADD, counter, &event) == 0);
  long start = now();
  assert(timerfd_settime(timer, 0, &soon, 0) == 0 && read(timer, &times, 8) == 8 && now() - start >= 10000000);
  assert(read(timer, &times, 8) == 8 && now() - start >= 30000000);
  start = now();
  assert(epoll_wait(list, &found, 1, 10) == 0 && now() - start >= 10000000);
  return 0;
}
