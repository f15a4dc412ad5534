// libevent with locks (evthread_pthread.c): a thread makes an event of the loop active, which wakes the loop; the loop
// runs its callback once, and ends.
#include <assert.h>
#include <event2/event.h>
#include <event2/thread.h>
#include <pthread.h>

static struct event_base *base;
static struct event *event;
static int called;

static void call(evutil_socket_t file, short what, void *unused) {
  called++;
  event_base_loopbreak(base);
}

static void *activate(void *unused) {
  event_active(event, EV_TIMEOUT, 1);
  return 0;
}

int main(void) {
  assert(evthread_use_pthreads() == 0);
  base = event_base_new();
  event = event_new(base, -1, 0, call, 0);
  pthread_t thread;
  pthread_create(&thread, 0, activate, 0);
  assert(event_base_loop(base, EVLOOP_NO_EXIT_ON_EMPTY) == 0);
  assert(called == 1);
  pthread_join(thread, 0);
  event_free(event);
  event_base_free(base);
  libevent_global_shutdown();
}
