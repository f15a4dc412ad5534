//@ revisions: level edge
//@ verdict: safe
//@[edge] cflags: -DEDGE
//@ source: Linux, fs/eventfd.c: the count and its queue of waiting threads have one lock
//@ naive: no
// That the count of an eventfd changes and that epoll is told of it are one step.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#ifdef EDGE
enum { MORE = EPOLLET, STEPS = 1 };
#else
enum { MORE = 0, STEPS = 2 };
#endif

static int counter;

static void *adds(void *arg) {
  assert(eventfd_write(counter, STEPS) == 0);
  return arg;
}

int main(void) {
  pthread_t thread;
  uint64_t value;
  int list = epoll_create1(0);
  counter = eventfd(0, EFD_SEMAPHORE);
  struct epoll_event event = {.events = EPOLLIN | MORE}, found;
  assert(epoll_ctl(list, EPOLL_CTL_ADD, counter, &event) == 0);
  pthread_create(&thread, 0, adds, 0);
  assert(eventfd_read(counter, &value) == 0 && value == 1);
#ifdef EDGE
  assert(eventfd_write(counter, 1) == 0);
#endif
  assert(epoll_wait(list, &found, 1, 0) == 1);
#ifdef EDGE
  assert(epoll_wait(list, &found, 1, 0) == 0);
#endif
  pthread_join(thread, 0);
  return 0;
}
