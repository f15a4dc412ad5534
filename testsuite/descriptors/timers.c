//@ verdict: safe
//@ native: run
//@ assumes: fixed-clock
//@ executions: 1
//@ source: one thread, which waits for its timers wherever they run
// What timerfd says of its arguments, and what comes of waiting for timers.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdint.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

static int ready(int descriptor, int time) {
  struct pollfd asked = {descriptor, POLLIN | POLLOUT, 0};
  int count = poll(&asked, 1, time);
  assert(count == (asked.revents != 0));
  return asked.revents;
}

int main(void) {
  uint64_t count = 0;
  struct itimerspec soon = {.it_value = {0, 1000}}, never = {0}, wrong = {.it_value = {0, 1000000000}}, old;
  assert(timerfd_create(77, 0) == -1 && errno == EINVAL && timerfd_create(CLOCK_REALTIME, 1) == -1 && errno == EINVAL);
  int timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC), other = eventfd(0, 0);
  assert(timerfd_settime(timer, 0, &wrong, 0) == -1 && errno == EINVAL);
  assert(timerfd_settime(other, 0, &soon, 0) == -1 && errno == EINVAL);
  assert(timerfd_settime(63, 0, &soon, 0) == -1 && errno == EBADF);
  assert(read(timer, &count, 8) == -1 && errno == EAGAIN && ready(timer, 0) == 0);
  assert(read(timer, &count, 4) == -1 && errno == EINVAL && write(timer, &count, 8) == -1 && errno == EINVAL);
  memset(&old, 1, sizeof old);
  assert(timerfd_gettime(timer, &old) == 0 && memcmp(&old, &never, sizeof old) == 0);

  assert(timerfd_settime(timer, 0, &soon, 0) == 0 && ready(timer, -1) == POLLIN && ready(timer, 0) == POLLIN);
  assert(read(timer, &count, 8) == 8 && count == 1 && read(timer, &count, 8) == -1 && errno == EAGAIN);
  assert(timerfd_gettime(timer, &old) == 0 && memcmp(&old, &never, sizeof old) == 0);

  int list = epoll_create1(0);
  struct epoll_event event = {.events = EPOLLIN | EPOLLET, .data.u32 = 3}, found[2];
  assert(epoll_ctl(list, EPOLL_CTL_ADD, timer, &event) == 0 && epoll_wait(list, found, 2, 0) == 0);
  assert(timerfd_settime(timer, TFD_TIMER_ABSTIME, &soon, &old) == 0 && memcmp(&old, &never, sizeof old) == 0);
  assert(epoll_wait(list, found, 2, -1) == 1 && found[0].events == EPOLLIN && found[0].data.u32 == 3);
  assert(epoll_wait(list, found, 2, 0) == 0 && ready(timer, 0) == POLLIN);
  assert(timerfd_settime(timer, 0, &never, 0) == 0 && ready(timer, 0) == 0);

  int waits = timerfd_create(CLOCK_REALTIME, 0);
  struct itimerspec again = {.it_value = {0, 1000}, .it_interval = {0, 1000}};
  assert(timerfd_settime(waits, 0, &soon, 0) == 0 && read(waits, &count, 8) == 8 && count == 1);
  assert(timerfd_settime(waits, 0, &again, 0) == 0 && read(waits, &count, 8) == 8 && count >= 1);
  assert(read(waits, &count, 8) == 8 && count >= 1);
  assert(close(timer) == 0 && timerfd_gettime(timer, &old) == -1 && errno == EBADF);
  return 0;
}
