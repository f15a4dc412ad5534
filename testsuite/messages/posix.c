//@ verdict: safe
//@ native: run
//@ revisions: senders full priorities timed nonblocking
//@[senders] cflags: -DSCENE=1
//@[senders] executions: 6
//@[full] cflags: -DSCENE=2
//@[full] executions: 1
//@[priorities] cflags: -DSCENE=3
//@[priorities] executions: 4
//@[timed] cflags: -DSCENE=4
//@[timed] executions: 2
//@[nonblocking] cflags: -DSCENE=5
//@[nonblocking] executions: 2
//@[senders] naive: no
//@ source: by hand: 3! orders of three sends; one of a sender and a receiver, however small the queue is; of two sends and two receives that depend on one another 2 * 2; before or behind the send: 2
// POSIX queues: several senders, one that waits for room, priorities, and receiving that gives up.
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <mqueue.h>
#include <pthread.h>
#include <time.h>

enum { SENDERS = SCENE == 1 ? 3 : SCENE == 3 ? 2 : 1, EACH = SCENE == 2 ? 4 : 1 };
static mqd_t queue;

static void *sender(void *arg) {
  char me = (char)(long)arg;
  for (int i = 0; i < EACH; i++)
    assert(mq_send(queue, &me, 1, SCENE == 3 ? (unsigned)me : 0) == 0);
  return 0;
}

int main(void) {
  pthread_t threads[SENDERS];
  struct mq_attr attributes = {.mq_maxmsg = SCENE == 2 ? 2 : 3, .mq_msgsize = 1};
  struct timespec soon = {0, 0};
  char from = 0;
  int sum = 0;
  mq_unlink("/verify-posix");
  queue = mq_open("/verify-posix", O_RDWR | O_CREAT | (SCENE == 5 ? O_NONBLOCK : 0), 0600, &attributes);
  for (long i = 0; i < SENDERS; i++)
    pthread_create(&threads[i], 0, sender, (void *)(i + 1));
  for (int i = 0; i < SENDERS * EACH; i++) {
    ssize_t size = SCENE == 4 ? mq_timedreceive(queue, &from, 1, 0, &soon) : mq_receive(queue, &from, 1, 0);
    assert(size == 1 || (SCENE >= 4 && errno == (SCENE == 4 ? ETIMEDOUT : EAGAIN)));
    sum += from;
  }
  assert(SCENE >= 4 || sum == (SCENE == 1 ? 6 : SCENE == 2 ? 4 : 3));
  for (int i = 0; i < SENDERS; i++)
    pthread_join(threads[i], 0);
  assert(mq_close(queue) == 0 && mq_unlink("/verify-posix") == 0);
}
