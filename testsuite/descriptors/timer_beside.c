//@ revisions: either stopped once_only never two
//@[either stopped two] verdict: safe
//@[once_only] verdict: unsafe(assertion)
//@[never] verdict: unsafe(deadlock)
//@[once_only] cflags: -DONCE_ONLY
//@[stopped] cflags: -DSTOPPED
//@[never] cflags: -DNEVER
//@[two] cflags: -DTWO
//@[either two] source: below
//@[either] executions: 2
//@[two] executions: 3
//@ naive: no
// either: a thread asks a timer that runs once without waiting: it has gone off or not, 2. stopped: as long as it does
// not run, it has not. once_only: who believes that it has not is wrong. never: who waits for a timer that another one
// stops waits for ever. two: of two timers for which a thread waits one has gone off, or the other one, or both: 3.
#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/timerfd.h>
#include <unistd.h>

static int timer, second;
static struct itimerspec soon = {.it_value = {1, 0}}, stop;

static void *stops(void *arg) {
  timerfd_settime(timer, 0, &stop, 0);
  return arg;
}

int main(void) {
  uint64_t count = 0;
  timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK);
  second = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK);
  timerfd_settime(timer, 0, &soon, 0);
#ifdef TWO
  timerfd_settime(second, 0, &soon, 0);
  struct pollfd asked[] = {{timer, POLLIN, 0}, {second, POLLIN, 0}};
  int found = poll(asked, 2, -1);
  assert(found >= 1 && (asked[0].revents || asked[1].revents));
#elif defined NEVER
  pthread_t thread;
  struct pollfd asked = {timer, POLLIN, 0};
  pthread_create(&thread, 0, stops, 0);
  poll(&asked, 1, -1); //~[never] deadlock
  pthread_join(thread, 0);
#else
#ifdef STOPPED
  stops(0);
#endif
  long result = read(timer, &count, 8);
  assert((result == 8 && count == 1) || (result == -1 && errno == EAGAIN));
#ifdef STOPPED
  assert(result == -1);
#elif defined ONCE_ONLY
  assert(result == -1); //~[once_only] assertion
#endif
#endif
  return 0;
}
