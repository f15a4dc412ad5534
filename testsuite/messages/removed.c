//@ verdict: safe
//@ executions: 2
//@ native: run
//@ source: by hand: the thread finds the queue and then waits until it is gone, or does not find it
// Who waits for a message is told that the queue was removed.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <sys/ipc.h>
#include <sys/msg.h>

static int queue;

static void *worker(void *arg) {
  struct {
    long type;
    int value;
  } message;
  assert(msgrcv(queue, &message, sizeof message.value, 1, 0) == -1);
  assert(errno == EIDRM || errno == EINVAL);
  return arg;
}

int main(void) {
  pthread_t thread;
  queue = msgget(IPC_PRIVATE, IPC_CREAT | 0600);
  pthread_create(&thread, 0, worker, 0);
  assert(msgctl(queue, IPC_RMID, 0) == 0);
  pthread_join(thread, 0);
}
