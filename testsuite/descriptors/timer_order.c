//@ revisions: counter timers thread before count
//@[counter timers thread] verdict: unsafe(assertion)
//@[before count] verdict: safe
//@[counter] cflags: -DFIRST=counter -DADD
//@[timers] cflags: -DFIRST=timer -DTWO
//@[thread] cflags: -DFIRST=counter -DADD -DTHREAD
//@[before] cflags: -DFIRST=counter -DBEFORE
//@[before] native: run
//@[count] cflags: -DTWO -DCOUNT
//@[count] executions: 5
//@ source: Linux: epoll tells in the order in which it happened; a timer may go off at any moment
//@ naive: no
// A timer that runs may have gone off before something else that epoll tells of (counter, thread), and before another
// timer that was set earlier (timers), but not before it was set (before). Of two timers none has gone off, or one, or
// the other one, or both in either order: 5 (count).
#include <assert.h>
#include <pthread.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>

static int counter;

static void *adds(void *arg) {
  eventfd_write(counter, 1);
  return arg;
}

int main(void) {
  struct itimerspec soon = {.it_value = {0, 1000}};
  struct epoll_event found[3];
  int list = epoll_create1(0), timer = timerfd_create(CLOCK_MONOTONIC, 0), second = timerfd_create(CLOCK_MONOTONIC, 0);
  counter = eventfd(0, 0);
  int all[] = {counter, timer, second};
  for (int i = 0; i < 3; i++) {
    struct epoll_event event = {.events = EPOLLIN, .data.fd = all[i]};
    assert(epoll_ctl(list, EPOLL_CTL_ADD, all[i], &event) == 0);
  }
#ifdef BEFORE
  adds(0);
#endif
  assert(timerfd_settime(timer, 0, &soon, 0) == 0);
#ifdef TWO
  assert(timerfd_settime(second, 0, &soon, 0) == 0);
#endif
#ifdef THREAD
  pthread_t thread;
  pthread_create(&thread, 0, adds, 0);
  pthread_join(thread, 0);
#elif defined ADD
  adds(0);
#endif
  int told = epoll_wait(list, found, 3, 0);
#ifdef COUNT
  assert(told <= 2);
#else
  if (told == 2)
    assert(found[0].data.fd == FIRST); //~[counter timers thread] assertion
#endif
  return 0;
}
