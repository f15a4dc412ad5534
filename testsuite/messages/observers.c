//@ verdict: safe
//@ executions: 4
//@ native: run
//@ naive: no
//@ source: by hand: which A comes first decides, and so does which B: 4 orders, since sends of one type depend on each other
// The example of section 3.2 of Aronis et al., Optimal DPOR with observers, TACAS 2018.
#include <assert.h>
#include <pthread.h>
#include <sys/ipc.h>
#include <sys/msg.h>

enum { A = 1, B };
static int queue;

static void send(long type, int from) {
  struct {
    long type;
    int from;
  } message = {type, from};
  assert(msgsnd(queue, &message, sizeof message.from, 0) == 0);
}

static int receive(long type) {
  struct {
    long type;
    int from;
  } message;
  assert(msgrcv(queue, &message, sizeof message.from, type, 0) > 0);
  return message.from;
}

static void *p(void *arg) { return send(B, 'p'), send(A, 'p'), arg; }
static void *q(void *arg) { return send(A, 'q'), arg; }
static void *s(void *arg) { return send(B, 's'), arg; }

int main(void) {
  pthread_t threads[3];
  queue = msgget(IPC_PRIVATE, IPC_CREAT | 0600);
  pthread_create(&threads[0], 0, p, 0);
  pthread_create(&threads[1], 0, q, 0);
  pthread_create(&threads[2], 0, s, 0);
  if (receive(A) == 'p') {
    int from = receive(B);
    assert(from == 'p' || from == 's');
  }
  for (int i = 0; i < 3; i++)
    pthread_join(threads[i], 0);
  msgctl(queue, IPC_RMID, 0);
}
