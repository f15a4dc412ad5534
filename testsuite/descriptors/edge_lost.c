//@ revisions: drained lost
//@[drained] verdict: safe
//@[lost] verdict: unsafe(deadlock)
//@[lost] cflags: -DLOST
//@ naive: no
// A server that takes only a part of what is there after an edge waits for ever for the next one; one that takes all
// does not.
#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/epoll.h>
#include <unistd.h>
static int ends[2];

static void *sends(void *arg) {
  assert(write(ends[1], "ab", 2) == 2);
  return arg;
}

int main(void) {
  pthread_t thread;
  char byte;
  int got = 0, list = epoll_create1(0);
  assert(pipe2(ends, O_NONBLOCK) == 0);
  struct epoll_event event = {.events = EPOLLIN | EPOLLET}, found;
  assert(epoll_ctl(list, EPOLL_CTL_ADD, ends[0], &event) == 0);
  pthread_create(&thread, 0, sends, 0);
  while (got < 2) {
    assert(epoll_wait(list, &found, 1, -1) == 1); //~[lost] deadlock
#ifdef LOST
    got += read(ends[0], &byte, 1) == 1;
#else
    while (read(ends[0], &byte, 1) == 1)
      got++;
#endif
  }
  pthread_join(thread, 0);
}
