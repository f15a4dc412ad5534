//@ verdict: safe
//@ native: run
// What poll, select and epoll say of pipes, sockets, counters and what is closed.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdint.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <unistd.h>

static int ready(int descriptor, short events) {
  struct pollfd asked = {descriptor, events, 0};
  int count = poll(&asked, 1, 0);
  assert(count == (asked.revents != 0));
  return asked.revents;
}

int main(void) {
  int ends[2], both[2];
  char byte;
  assert(pipe(ends) == 0);
  assert(ready(ends[0], POLLIN) == 0 && ready(ends[1], POLLOUT) == POLLOUT);
  assert(write(ends[1], "ab", 2) == 2 && ready(ends[0], POLLIN | POLLOUT) == POLLIN);
  assert(fcntl(ends[0], F_SETFL, O_NONBLOCK) == 0 && (fcntl(ends[0], F_GETFL) & O_NONBLOCK));
  assert(read(ends[0], &byte, 1) == 1 && read(ends[0], &byte, 1) == 1);
  assert(read(ends[0], &byte, 1) == -1 && errno == EAGAIN && ready(ends[0], POLLIN) == 0);
  assert(close(ends[1]) == 0 && ready(ends[0], POLLIN) == POLLHUP && ready(ends[1], POLLIN) == POLLNVAL);

  assert(socketpair(AF_UNIX, SOCK_STREAM, 0, both) == 0 && ready(both[0], POLLIN | POLLOUT) == POLLOUT);
  assert(write(both[1], "c", 1) == 1 && ready(both[0], POLLIN | POLLOUT) == (POLLIN | POLLOUT));

  int counter = eventfd(2, EFD_NONBLOCK), steps = eventfd(0, EFD_SEMAPHORE | EFD_NONBLOCK);
  uint64_t value = 3, got;
  assert(write(counter, &value, 8) == 8 && read(counter, &got, 8) == 8 && got == 5);
  assert(read(counter, &got, 8) == -1 && errno == EAGAIN && read(counter, &got, 4) == -1 && errno == EINVAL);
  value = UINT64_MAX;
  assert(write(counter, &value, 8) == -1 && errno == EINVAL);
  assert(eventfd_write(steps, 2) == 0 && eventfd_read(steps, &got) == 0 && got == 1);
  assert(ready(counter, POLLIN | POLLOUT) == POLLOUT && ready(steps, POLLIN) == POLLIN);

  fd_set in, out;
  FD_ZERO(&in);
  FD_ZERO(&out);
  FD_SET(counter, &in);
  FD_SET(steps, &in);
  FD_SET(counter, &out);
  struct timeval now = {0, 0};
  assert(select(FD_SETSIZE > 64 ? 64 : FD_SETSIZE, &in, &out, 0, &now) == 2);
  assert(!FD_ISSET(counter, &in) && FD_ISSET(steps, &in) && FD_ISSET(counter, &out));

  int list = epoll_create1(EPOLL_CLOEXEC);
  struct epoll_event first = {.events = EPOLLIN, .data.u32 = 1}, second = {.events = EPOLLIN | EPOLLONESHOT, .data.u32 = 2}, found[4];
  assert(epoll_ctl(list, EPOLL_CTL_ADD, counter, &first) == 0 && epoll_ctl(list, EPOLL_CTL_ADD, steps, &second) == 0);
  assert(epoll_ctl(list, EPOLL_CTL_ADD, steps, &second) == -1 && errno == EEXIST);
  assert(epoll_ctl(list, EPOLL_CTL_DEL, both[0], 0) == -1 && errno == ENOENT && epoll_wait(counter, found, 4, 0) == -1 && errno == EINVAL);
  assert(epoll_wait(list, found, 4, 0) == 1 && found[0].data.u32 == 2 && found[0].events == EPOLLIN);
  assert(epoll_wait(list, found, 4, 0) == 0 && epoll_ctl(list, EPOLL_CTL_MOD, steps, &second) == 0);
  assert(epoll_wait(list, found, 4, 0) == 1 && eventfd_write(counter, 1) == 0 && epoll_wait(list, found, 4, -1) == 1);
  assert(found[0].data.u32 == 1 && close(counter) == 0 && epoll_wait(list, found, 4, 0) == 0);
  assert(close(list) == 0 && epoll_wait(list, found, 4, 0) == -1 && errno == EBADF);
  return 0;
}
