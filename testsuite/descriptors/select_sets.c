//@ revisions: urgent room timed
//@[urgent room] verdict: unsafe(deadlock)
//@[timed] verdict: safe
//@[timed] native: run
//@[urgent] cflags: -DURGENT
//@[room] cflags: -DROOM
//@ source: Linux, fs/select.c: POLLIN_SET, POLLOUT_SET and POLLEX_SET
//@ naive: no
// select ends only for what was asked for. That there is no writer any more is something to read, but no room and
// nothing urgent; that there is no reader any more is an error, which is something to read, and room.
#include <assert.h>
#include <pthread.h>
#include <sys/select.h>
#include <unistd.h>

static int ends[2];

static int ask(int descriptor, int which, struct timeval *time) {
  fd_set set;
  FD_ZERO(&set);
  FD_SET(descriptor, &set);
  return select(descriptor + 1, which == 0 ? &set : 0, which == 1 ? &set : 0, which == 2 ? &set : 0, time); //~[urgent room] deadlock
}

static void *closes(void *arg) {
  close(ends[1]);
  return arg;
}

int main(void) {
  pthread_t thread;
  struct timeval soon = {0, 1000};
  assert(pipe(ends) == 0);
  pthread_create(&thread, 0, closes, 0);
#ifdef URGENT
  ask(ends[0], 2, 0);
#elif defined ROOM
  ask(ends[0], 1, 0);
#endif
  assert(ask(ends[0], 0, 0) == 1);
  assert(ask(ends[0], 2, &soon) == 0 && ask(ends[0], 1, &soon) == 0);
  pthread_join(thread, 0);
  assert(pipe(ends) == 0 && close(ends[0]) == 0);
  assert(ask(ends[1], 0, 0) == 1 && ask(ends[1], 1, 0) == 1 && ask(ends[1], 2, &soon) == 0);
  return 0;
}
