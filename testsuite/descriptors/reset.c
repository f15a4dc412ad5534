//@ verdict: safe
//@ native: run
//@ source: Linux, net/unix/af_unix.c: unix_release_sock
//@ naive: no
// A socket whose other end was closed with bytes that nobody had read: what came from there is still read, then there
// is an error, once, and then the end.
#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

static int both[2];
static int ready(void) {
  struct pollfd asked = {both[0], POLLIN | POLLOUT, 0};
  poll(&asked, 1, 0);
  return asked.revents;
}

int main(void) {
  char byte;
  assert(socketpair(AF_UNIX, SOCK_STREAM, 0, both) == 0);
  assert(write(both[0], "x", 1) == 1 && write(both[1], "y", 1) == 1 && close(both[1]) == 0);
  assert(ready() == (POLLIN | POLLOUT | POLLERR | POLLHUP) && read(both[0], &byte, 1) == 1 && byte == 'y');
  assert(read(both[0], &byte, 1) == -1 && errno == ECONNRESET && ready() == (POLLIN | POLLOUT | POLLHUP));
  assert(read(both[0], &byte, 1) == 0);
  assert(send(both[0], "z", 1, MSG_NOSIGNAL) == -1 && errno == EPIPE);

  assert(socketpair(AF_UNIX, SOCK_STREAM, 0, both) == 0);
  assert(write(both[0], "x", 1) == 1 && read(both[1], &byte, 1) == 1 && close(both[1]) == 0);
  assert(ready() == (POLLIN | POLLOUT | POLLHUP) && read(both[0], &byte, 1) == 0);
  return 0;
}
