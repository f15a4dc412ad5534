//@ verdict: safe
//@ native: run
//@ executions: 1
//@ source: there is one thread
// Edge-triggered and one-shot descriptors, and the order of what epoll tells.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

static int list;
static struct epoll_event found[4];

static void watch(int operation, int descriptor, unsigned events) {
  struct epoll_event event = {.events = events, .data.fd = descriptor};
  assert(epoll_ctl(list, operation, descriptor, &event) == 0);
}
static int count(void) { return epoll_wait(list, found, 4, 0); }
static int only(int descriptor, unsigned events) {
  return count() == 1 && found[0].data.fd == descriptor && found[0].events == events;
}

int main(void) {
  int ends[2], both[2];
  char bytes[8];
  uint64_t value;
  list = epoll_create1(0);
  assert(pipe2(ends, O_NONBLOCK) == 0);
  watch(EPOLL_CTL_ADD, ends[0], EPOLLIN | EPOLLET);
  assert(count() == 0 && write(ends[1], "ab", 2) == 2 && only(ends[0], EPOLLIN) && count() == 0);
  assert(read(ends[0], bytes, 1) == 1 && count() == 0);
  assert(write(ends[1], "c", 1) == 1 && only(ends[0], EPOLLIN) && count() == 0);
  watch(EPOLL_CTL_MOD, ends[0], EPOLLIN | EPOLLET);
  assert(only(ends[0], EPOLLIN) && count() == 0);
  watch(EPOLL_CTL_MOD, ends[0], EPOLLIN);
  assert(only(ends[0], EPOLLIN) && only(ends[0], EPOLLIN));
  assert(read(ends[0], bytes, 8) == 2 && count() == 0);
  watch(EPOLL_CTL_MOD, ends[0], EPOLLIN | EPOLLET);
  assert(write(ends[1], "d", 1) == 1 && read(ends[0], bytes, 8) == 1 && count() == 0);
  assert(close(ends[1]) == 0 && only(ends[0], EPOLLHUP) && count() == 0);
  watch(EPOLL_CTL_DEL, ends[0], 0);

  int one = eventfd(0, 0), two = eventfd(0, 0);
  watch(EPOLL_CTL_ADD, one, EPOLLIN | EPOLLONESHOT);
  watch(EPOLL_CTL_ADD, two, EPOLLIN | EPOLLET | EPOLLONESHOT);
  assert(eventfd_write(two, 1) == 0 && eventfd_write(one, 1) == 0 && eventfd_write(two, 1) == 0);
  assert(count() == 2 && found[0].data.fd == two && found[1].data.fd == one);
  assert(eventfd_write(one, 1) == 0 && eventfd_write(two, 1) == 0 && count() == 0);
  watch(EPOLL_CTL_MOD, one, EPOLLIN);
  watch(EPOLL_CTL_MOD, two, EPOLLIN);
  assert(epoll_wait(list, found, 1, 0) == 1 && found[0].data.fd == one);
  assert(epoll_wait(list, found, 1, 0) == 1 && found[0].data.fd == two);
  assert(epoll_wait(list, found, 1, 0) == 1 && found[0].data.fd == one);
  assert(eventfd_read(one, &value) == 0 && value == 2 && only(two, EPOLLIN));
  watch(EPOLL_CTL_MOD, two, EPOLLIN | EPOLLOUT | EPOLLET);
  assert(only(two, EPOLLIN | EPOLLOUT) && count() == 0);
  assert(eventfd_read(two, &value) == 0 && value == 3 && only(two, EPOLLOUT) && count() == 0);
  watch(EPOLL_CTL_DEL, two, 0);

  assert(socketpair(AF_UNIX, SOCK_STREAM, 0, both) == 0);
  watch(EPOLL_CTL_ADD, both[0], EPOLLIN | EPOLLRDHUP | EPOLLET);
  assert(count() == 0 && send(both[1], "ab", 2, 0) == 2 && only(both[0], EPOLLIN) && count() == 0);
  assert(send(both[1], "c", 1, 0) == 1 && only(both[0], EPOLLIN) && count() == 0);
  assert(close(both[1]) == 0 && only(both[0], EPOLLIN | EPOLLRDHUP | EPOLLHUP) && count() == 0);
  return 0;
}
