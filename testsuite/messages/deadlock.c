//@ revisions: nobody circle full answered
//@[nobody] verdict: unsafe(deadlock)
//@[nobody] cflags: -DSCENE=1
//@[circle] verdict: unsafe(deadlock)
//@[circle] cflags: -DSCENE=2
//@[full] verdict: unsafe(deadlock)
//@[full] cflags: -DSCENE=3
//@[answered] verdict: safe
//@[answered] cflags: -DSCENE=4
//@[answered] native: run
// A message of a type that nobody sends, two threads that wait for each other's, and more than a queue takes.
#include <assert.h>
#include <pthread.h>
#include <sys/ipc.h>
#include <sys/msg.h>

static int queue;
static struct {
  long type;
  char bytes[8192];
} message = {.type = 1};

static void send(long type) {
  struct {
    long type;
    int value;
  } one = {type, 0};
  assert(msgsnd(queue, &one, sizeof one.value, 0) == 0);
}

static long receive(long type) {
  struct {
    long type;
    int value;
  } one;
  return msgrcv(queue, &one, sizeof one.value, type, 0); //~[nobody circle] deadlock
}

static void *worker(void *arg) {
  receive(1);
  send(2);
  return arg;
}

int main(void) {
  pthread_t thread;
  queue = msgget(IPC_PRIVATE, IPC_CREAT | 0600);
#if SCENE == 1
  send(2);
  receive(1);
#elif SCENE == 2
  pthread_create(&thread, 0, worker, 0);
  receive(2);
  send(1);
#elif SCENE == 3
  for (int i = 0; i < 3; i++)
    msgsnd(queue, &message, sizeof message.bytes, 0); //~[full] deadlock
#else
  pthread_create(&thread, 0, worker, 0);
  send(1);
  receive(2);
  pthread_join(thread, 0);
#endif
  msgctl(queue, IPC_RMID, 0);
}
