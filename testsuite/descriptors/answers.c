//@ verdict: safe
//@ native: run
//@ executions: 1
//@ source: there is one thread
// What is said to wrong calls, and what fcntl says of descriptors.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <unistd.h>

#define FAILS(call, with) (errno = 0, assert((call) == -1 && errno == (with)))
static int access_of(int descriptor) { return fcntl(descriptor, F_GETFL) & O_ACCMODE; }

int main(void) {
  int ends[2], both[2], counter = eventfd(0, EFD_CLOEXEC), list = epoll_create1(0), timer = timerfd_create(CLOCK_MONOTONIC, 0);
  struct epoll_event event = {0};
  FAILS(epoll_wait(50, &event, 1, 0), EBADF);
  FAILS(epoll_wait(counter, &event, 1, 0), EINVAL);
  FAILS(epoll_wait(list, &event, 0, 0), EINVAL);
  FAILS(epoll_ctl(-1, EPOLL_CTL_ADD, counter, &event), EBADF);
  FAILS(epoll_ctl(list, EPOLL_CTL_ADD, 50, &event), EBADF);
  FAILS(epoll_ctl(counter, EPOLL_CTL_ADD, list, &event), EINVAL);
  FAILS(epoll_ctl(list, EPOLL_CTL_ADD, list, &event), EINVAL);
  FAILS(epoll_create1(12345), EINVAL);

  assert(pipe2(ends, O_CLOEXEC) == 0 && socketpair(AF_UNIX, SOCK_STREAM, 0, both) == 0);
  assert(access_of(ends[0]) == O_RDONLY && access_of(ends[1]) == O_WRONLY && access_of(both[0]) == O_RDWR);
  assert(access_of(counter) == O_RDWR && access_of(list) == O_RDWR && access_of(timer) == O_RDWR);
  assert(fcntl(ends[0], F_GETFD) == FD_CLOEXEC && fcntl(counter, F_GETFD) == FD_CLOEXEC && fcntl(list, F_GETFD) == 0);
  assert(fcntl(ends[0], F_SETFD, 0) == 0 && fcntl(ends[0], F_GETFD) == 0 && fcntl(ends[1], F_GETFD) == FD_CLOEXEC);
  assert(fcntl(timer, F_SETFD, FD_CLOEXEC) == 0 && fcntl(timer, F_GETFD) == FD_CLOEXEC);
  int number = timer;
  assert(close(timer) == 0 && eventfd(0, 0) == number && fcntl(number, F_GETFD) == 0);
  FAILS(fcntl(50, F_GETFD), EBADF);

  fd_set set;
  FD_ZERO(&set);
  FD_SET(ends[0], &set);
  struct timeval before = {0, -1};
  struct timespec wrong = {0, 1000000000}, negative = {-1, 0};
  struct pollfd asked = {ends[0], POLLIN, 0};
  FAILS(select(ends[0] + 1, &set, 0, 0, &before), EINVAL);
  FAILS(select(-1, &set, 0, 0, 0), EINVAL);
  FAILS(pselect(ends[0] + 1, &set, 0, 0, &wrong, 0), EINVAL);
  FAILS(ppoll(&asked, 1, &negative, 0), EINVAL);
  return 0;
}
