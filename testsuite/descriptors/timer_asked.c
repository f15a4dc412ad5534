//@ revisions: once beside again
//@ verdict: safe
//@ native: run
//@ assumes: fixed-clock
//@[beside] cflags: -DBESIDE
//@[again] cflags: -DAGAIN
//@ source: Linux, fs/timerfd.c: timerfd_gettime starts a timer again that went off and does so again and again
//@ naive: no
// Who waits with epoll is told of a timer that another thread, or the same one, asked for its time: once; and again,
// also when it is told of edges only.
#include <assert.h>
#include <pthread.h>
#include <sys/epoll.h>
#include <sys/timerfd.h>

static int timer;

static void *asks(void *arg) {
  struct itimerspec left;
  assert(timerfd_gettime(timer, &left) == 0);
  return arg;
}

int main(void) {
  pthread_t thread;
  struct itimerspec soon = {.it_value = {0, 1000000}};
  int list = epoll_create1(0);
  timer = timerfd_create(CLOCK_MONOTONIC, 0);
  struct epoll_event event = {.events = EPOLLIN}, found;
#ifdef AGAIN
  event.events |= EPOLLET;
  soon.it_interval = soon.it_value;
#endif
  assert(epoll_ctl(list, EPOLL_CTL_ADD, timer, &event) == 0 && timerfd_settime(timer, 0, &soon, 0) == 0);
#ifdef BESIDE
  pthread_create(&thread, 0, asks, 0);
#elif defined AGAIN
  assert(epoll_wait(list, &found, 1, -1) == 1);
  asks(0);
#else
  asks(0);
#endif
  assert(epoll_wait(list, &found, 1, -1) == 1);
#ifdef BESIDE
  pthread_join(thread, 0);
#endif
  return 0;
}
