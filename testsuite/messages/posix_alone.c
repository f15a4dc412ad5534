//@ verdict: safe
//@ executions: 1
//@ native: run
//@ source: by hand: one thread
// Priorities, what does not fit, attributes, names, and descriptors.
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <mqueue.h>
#include <string.h>
#include <time.h>

static const char *const name = "/verify-posix-alone";

static int got(mqd_t queue, const char *text, unsigned priority) {
  char buffer[8];
  unsigned found = 9;
  return mq_receive(queue, buffer, sizeof buffer, &found) == (ssize_t)strlen(text) + 1 && !strcmp(buffer, text) && found == priority;
}

int main(void) {
  struct mq_attr wanted = {.mq_maxmsg = 3, .mq_msgsize = 8}, found, flags = {.mq_flags = O_NONBLOCK};
  struct timespec past = {0, 0}, none = {0, -1};
  char buffer[8];
  mq_unlink(name);
  assert(mq_open(name, O_RDWR) == -1 && errno == ENOENT);
  mqd_t queue = mq_open(name, O_RDWR | O_CREAT | O_EXCL, 0600, &wanted);
  assert(queue != -1 && mq_open(name, O_RDWR | O_CREAT | O_EXCL, 0600, &wanted) == -1 && errno == EEXIST);
  mqd_t sender = mq_open(name, O_WRONLY | O_NONBLOCK);

  assert(mq_send(queue, "low", 4, 1) == 0 && mq_send(queue, "high", 5, 7) == 0 && mq_send(sender, "HIGH", 5, 7) == 0);
  assert(mq_send(sender, "", 1, 0) == -1 && errno == EAGAIN);
  assert(mq_timedsend(queue, "", 1, 0, &past) == -1 && errno == ETIMEDOUT);
  assert(mq_timedsend(queue, "", 1, 0, &none) == -1 && errno == EINVAL);
  assert(mq_getattr(sender, &found) == 0 && found.mq_flags == O_NONBLOCK && found.mq_maxmsg == 3 && found.mq_curmsgs == 3);
  assert(got(queue, "high", 7) && got(queue, "HIGH", 7) && got(queue, "low", 1));

  assert(mq_setattr(queue, &flags, &found) == 0 && found.mq_flags == 0 && found.mq_msgsize == 8 && found.mq_curmsgs == 0);
  assert(mq_receive(queue, buffer, sizeof buffer, 0) == -1 && errno == EAGAIN);
  assert(mq_receive(queue, buffer, 7, 0) == -1 && errno == EMSGSIZE);
  assert(mq_send(queue, "123456789", 9, 0) == -1 && errno == EMSGSIZE);
  assert(mq_receive(sender, buffer, sizeof buffer, 0) == -1 && errno == EBADF);

  // What has no name any more can still be used.
  assert(mq_unlink(name) == 0 && mq_unlink(name) == -1 && errno == ENOENT);
  assert(mq_send(sender, "x", 2, 0) == 0 && mq_close(sender) == 0 && got(queue, "x", 0) && mq_close(queue) == 0);
  assert(mq_send(queue, "x", 2, 0) == -1 && errno == EBADF);
}
