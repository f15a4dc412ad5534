//@ revisions: poll select epoll timed never
//@[poll select epoll timed] verdict: safe
//@[never] verdict: unsafe(deadlock)
//@[poll timed never] cflags: -DPOLL
//@[select] cflags: -DSELECT
//@[never] cflags: -DPOLL -DNEVER
//@[timed] cflags: -DPOLL -DTIME=1000
//@ naive: no
// A thread waits until a counter is told of something, and then knows what the other thread has done before.
#include <assert.h>
#include <poll.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/select.h>
#include <unistd.h>
#ifndef TIME
#define TIME -1
#endif
static int counter, data;

static int await(void) {
#ifdef POLL
  struct pollfd asked = {counter, POLLIN, 0};
  return poll(&asked, 1, TIME); //~[never] deadlock
#elif defined SELECT
  fd_set in;
  FD_ZERO(&in);
  FD_SET(counter, &in);
  return select(counter + 1, &in, 0, 0, 0);
#else
  struct epoll_event event = {.events = EPOLLIN}, found;
  int list = epoll_create1(0);
  assert(epoll_ctl(list, EPOLL_CTL_ADD, counter, &event) == 0);
  return epoll_wait(list, &found, 1, -1);
#endif
}

static void *waits(void *arg) {
  uint64_t value;
  if (await() == 0) {
    assert(TIME > 0);
    return arg;
  }
  assert(read(counter, &value, 8) == 8 && value == 7 && data == 1);
  return arg;
}

int main(void) {
  pthread_t thread;
  counter = eventfd(0, 0);
  pthread_create(&thread, 0, waits, 0);
  data = 1;
#ifndef NEVER
  uint64_t value = 7;
  assert(write(counter, &value, 8) == 8);
#endif
  pthread_join(thread, 0);
}
