//@ revisions: poll select counter both list beside
//@[poll select counter] verdict: unsafe(deadlock)
//@[both list] verdict: safe
//@[both list] native: run
//@[beside] verdict: unknown(waits for a descriptor which is closed meanwhile)
//@[select] cflags: -DSELECT
//@[counter] cflags: -DCOUNTER
//@[both] cflags: -DBOTH
//@[list] cflags: -DLIST
//@[beside] cflags: -DBESIDE
//@ source: Linux: who waits holds the files (fs/select.c, __pollwait; fs/eventpoll.c, epoll_wait)
//@ naive: no
// A thread closes a descriptor for which another one may be waiting, which then goes on to wait. When the other end of
// the pipe is closed as well (both), it is woken, and finds that it has no such descriptor. A list of epoll tells what
// happens also when it is closed (list). Whether something else wakes it is not known (beside).
#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/select.h>
#include <unistd.h>

static int ends[2], counter, list;

static void *waits(void *arg) {
#ifdef LIST
  struct epoll_event found;
  assert(epoll_wait(list, &found, 1, -1) == 1 || errno == EBADF);
#elif defined SELECT
  fd_set set;
  FD_ZERO(&set);
  FD_SET(ends[0], &set);
  select(ends[0] + 1, &set, 0, 0, 0); //~[select] deadlock
#else
  struct pollfd asked = {ends[0], POLLIN, 0};
  assert(poll(&asked, 1, -1) == 1 && asked.revents == POLLNVAL); //~[poll counter] deadlock
#endif
  return arg;
}

int main(void) {
  pthread_t thread;
  counter = eventfd(0, 0);
  list = epoll_create1(0);
  struct epoll_event event = {.events = EPOLLIN};
  assert(epoll_ctl(list, EPOLL_CTL_ADD, counter, &event) == 0);
#ifdef COUNTER
  ends[0] = eventfd(0, 0);
#else
  assert(pipe(ends) == 0);
#endif
  pthread_create(&thread, 0, waits, 0);
#ifdef LIST
  close(list);
  eventfd_write(counter, 1);
#else
  close(ends[0]);
#endif
#ifdef BOTH
  close(ends[1]);
#elif defined BESIDE
  eventfd_write(counter, 1);
#endif
  pthread_join(thread, 0);
  return 0;
}
