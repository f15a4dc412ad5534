//@ revisions: through around two
//@[through] verdict: safe
//@[through] cflags: -DSCENE=1
//@[through] executions: 1
//@[through] native: run
//@[around] verdict: unsafe(data-race)
//@[around] cflags: -DSCENE=2
//@[two] verdict: unsafe(data-race)
//@[two] cflags: -DSCENE=3
//@ source: by hand: one message
// What was written before a message was sent is known to who receives it: not what is written behind it, and not what was
// written before another message.
#include <assert.h>
#include <pthread.h>
#include <sys/ipc.h>
#include <sys/msg.h>

struct message {
  long type;
  int *data;
};
static int queue, data, other;

static void *first(void *arg) {
  struct message message = {1, &data};
  data = 1;
  msgsnd(queue, &message, sizeof message.data, 0);
#if SCENE == 2
  data = 2; //~[around] data-race
#endif
  return arg;
}

static void *second(void *arg) {
  struct message message = {2, &other};
  other = 1; //~[two] data-race
  msgsnd(queue, &message, sizeof message.data, 0);
  return arg;
}

int main(void) {
  pthread_t threads[2];
  struct message message;
  queue = msgget(IPC_PRIVATE, IPC_CREAT | 0600);
  pthread_create(&threads[0], 0, first, 0);
  if (SCENE == 3)
    pthread_create(&threads[1], 0, second, 0);
  msgrcv(queue, &message, sizeof message.data, 1, 0);
  int *place = SCENE == 3 ? &other : message.data;
  ++*place; //~[around two] data-race
  assert(SCENE != 1 || data == 2);
  for (int i = 0; i <= (SCENE == 3); i++)
    pthread_join(threads[i], 0);
  msgctl(queue, IPC_RMID, 0);
}
