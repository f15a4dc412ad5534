//@ revisions: poll list counter
//@ verdict: safe
//@ native: run
//@[list] cflags: -DLIST
//@[counter] cflags: -DCOUNTER
//@ source: POSIX: poll, epoll_wait and read are cancellation points
//@ naive: no
// A thread that waits for descriptors, or for a counter, is cancelled: others can still use them.
#include <assert.h>
#include <poll.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

static int counter, list;

static void *waits(void *arg) {
  uint64_t value;
  struct epoll_event found;
  struct pollfd asked = {counter, POLLIN, 0};
#ifdef LIST
  epoll_wait(list, &found, 1, -1);
#elif defined COUNTER
  read(counter, &value, 8);
#else
  poll(&asked, 1, -1);
#endif
  return arg;
}

int main(void) {
  pthread_t thread;
  struct epoll_event event = {.events = EPOLLIN}, found;
  struct pollfd asked = {0};
  list = epoll_create1(0);
  counter = asked.fd = eventfd(0, 0);
  asked.events = POLLIN;
  assert(epoll_ctl(list, EPOLL_CTL_ADD, counter, &event) == 0);
  pthread_create(&thread, 0, waits, 0);
  pthread_cancel(thread);
  pthread_join(thread, 0);
  assert(eventfd_write(counter, 1) == 0 && poll(&asked, 1, -1) == 1 && epoll_wait(list, &found, 1, -1) == 1);
  return 0;
}
