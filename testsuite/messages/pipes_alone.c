//@ verdict: safe
//@ revisions: lp64 ilp32
//@[ilp32] cflags: -m32
//@ executions: 1
//@[lp64] native: run
//@ source: by hand: one thread
// Errors of pipes and sockets, ends that are closed, and descriptors that are given out again.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

int main(void) {
  int ends[2], again[2];
  char text[8] = "";
  signal(SIGPIPE, SIG_IGN);
  assert(pipe2(ends, O_NONBLOCK) == 0 && ends[0] != ends[1]);
  assert(read(ends[0], text, 1) == -1 && errno == EAGAIN);
  assert(write(ends[0], "x", 1) == -1 && errno == EBADF);
  assert(read(ends[1], text, 1) == -1 && errno == EBADF);
  assert(lseek(ends[0], 0, SEEK_SET) == -1 && errno == ESPIPE);
  assert(send(ends[1], "x", 1, 0) == -1 && errno == ENOTSOCK);
  assert(write(ends[1], "ab", 2) == 2 && write(ends[1], "cd", 2) == 2 && write(ends[1], text, 0) == 0);
  assert(read(ends[0], text, 3) == 3 && !strcmp(text, "abc") && read(ends[0], text, 8) == 1 && *text == 'd');
  assert(write(ends[1], "e", 1) == 1 && close(ends[1]) == 0);
  assert(read(ends[0], text, 8) == 1 && *text == 'e' && read(ends[0], text, 8) == 0);
  assert(close(ends[1]) == -1 && errno == EBADF && write(ends[1], "x", 1) == -1 && errno == EBADF);
  assert(close(ends[0]) == 0 && read(ends[0], text, 1) == -1 && errno == EBADF);

  assert(pipe(again) == 0 && again[0] == ends[0] && again[1] == ends[1] && close(again[0]) == 0);
  assert(write(again[1], "x", 1) == -1 && errno == EPIPE && close(again[1]) == 0);

  assert(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
  assert(send(ends[0], "xy", 2, MSG_NOSIGNAL) == 2 && recv(ends[1], text, 2, MSG_DONTWAIT) == 2 && *text == 'x');
  assert(recv(ends[1], text, 2, MSG_DONTWAIT) == -1 && errno == EAGAIN);
  assert(write(ends[1], "z", 1) == 1 && close(ends[1]) == 0);
  assert(read(ends[0], text, 8) == 1 && read(ends[0], text, 8) == 0);
  assert(send(ends[0], "x", 1, MSG_NOSIGNAL) == -1 && errno == EPIPE && close(ends[0]) == 0);
}
