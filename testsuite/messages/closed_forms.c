//@ verdict: safe
//@ native: run
//@ revisions: any2 any3 any4 types2 types4 lock2 lock3
//@[any2] cflags: -DSCENE=1 -DN=2
//@[any2] executions: 2
//@[any3] cflags: -DSCENE=1 -DN=3
//@[any3] executions: 6
//@[any4] cflags: -DSCENE=1 -DN=4
//@[any4] executions: 24
//@[types2] cflags: -DSCENE=2 -DN=2
//@[types2] executions: 1
//@[types4] cflags: -DSCENE=2 -DN=4
//@[types4] executions: 1
//@[lock2] cflags: -DSCENE=3 -DN=2
//@[lock2] executions: 2
//@[lock3] cflags: -DSCENE=3 -DN=3
//@[lock3] executions: 6
//@[any3] naive: no
//@[any4] naive: no
//@[types4] naive: no
//@[lock2] naive: no
//@[lock3] naive: no
//@ source: Aronis et al., Optimal DPOR with observers, TACAS 2018, section 5: not_selective(n) n!, selective(n) 1, lock(n) n!
// Senders whose messages are received in whatever order, or by type; and a lock that is a thread with a queue.
#include <assert.h>
#include <pthread.h>
#include <sys/ipc.h>
#include <sys/msg.h>

struct message {
  long type;
  int from;
};
enum { ACQUIRE = N + 1, RELEASE };
static int queue, held;

static void send(long type, int from) {
  struct message message = {type, from};
  assert(msgsnd(queue, &message, sizeof message.from, 0) == 0);
}

static int receive(long type) {
  struct message message;
  assert(msgrcv(queue, &message, sizeof message.from, type, 0) == sizeof message.from);
  return message.from;
}

static void *client(void *arg) {
  int me = (int)(long)arg;
#if SCENE == 3
  send(ACQUIRE, me);
  receive(me);
  held++;
  send(RELEASE, me);
#else
  send(me, me);
#endif
  return 0;
}

int main(void) {
  pthread_t threads[N];
  int seen = 0;
  queue = msgget(IPC_PRIVATE, IPC_CREAT | 0600);
  for (long i = 0; i < N; i++)
    pthread_create(&threads[i], 0, client, (void *)(i + 1));
  for (int i = 1; i <= N; i++) {
#if SCENE == 1
    seen += receive(0);
#elif SCENE == 2
    assert(receive(i) == i);
#else
    send(receive(ACQUIRE), 0);
    receive(RELEASE);
#endif
  }
  assert(SCENE != 1 || seen == N * (N + 1) / 2);
  assert(SCENE != 3 || held == N);
  for (int i = 0; i < N; i++)
    pthread_join(threads[i], 0);
  assert(msgctl(queue, IPC_RMID, 0) == 0);
}
