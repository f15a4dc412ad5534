//@ verdict: safe
//@ cutoffs: needed
//@ revisions: types oldest posix
//@[types] cflags: -DSCENE=1
//@[oldest] cflags: -DSCENE=2
//@[posix] cflags: -DSCENE=3
// Questions and answers for ever: the state comes again, wherever in the queue the messages were.
#include <assert.h>
#include <fcntl.h>
#include <mqueue.h>
#include <pthread.h>
#include <sys/ipc.h>
#include <sys/msg.h>

struct message {
  long type;
  char number;
};
static int queues[2];

static void send(int side, char number) {
  struct message message = {1 + side, number};
#if SCENE == 3
  assert(mq_send(queues[side], &message.number, 1, 0) == 0);
#else
  assert(msgsnd(queues[SCENE == 2 ? side : 0], &message, 1, 0) == 0);
#endif
}

static char receive(int side) {
  struct message message;
#if SCENE == 3
  assert(mq_receive(queues[side], &message.number, 1, 0) == 1);
#else
  assert(msgrcv(queues[SCENE == 2 ? side : 0], &message, 1, SCENE == 2 ? 0 : 1 + side, 0) == 1);
#endif
  return message.number;
}

static void *server(void *arg) {
  for (;;)
    send(1, receive(0) + 1);
  return arg;
}

int main(void) {
  pthread_t thread;
  struct mq_attr attributes = {.mq_maxmsg = 3, .mq_msgsize = 1};
  const char *const names[] = {"/endless-questions", "/endless-answers"};
  for (int i = 0; i < 2; i++)
    queues[i] = SCENE == 3 ? mq_open(names[i], O_RDWR | O_CREAT, 0600, &attributes) : msgget(IPC_PRIVATE, 0600);
  pthread_create(&thread, 0, server, 0);
  for (char number = 0;; number = number < 2 ? number + 1 : 0) {
    send(0, number);
    assert(receive(1) == number + 1);
  }
}
