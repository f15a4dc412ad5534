//@ verdict: safe
//@ executions: 1
//@ native: run
//@ source: by hand: one thread
// Which message is received, what does not fit, keys, and what is gone.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/msg.h>

static struct {
  long type;
  char text[8];
} message;

static void put(int queue, long type, const char *text) {
  message.type = type;
  strcpy(message.text, text);
  assert(msgsnd(queue, &message, strlen(text) + 1, IPC_NOWAIT) == 0);
}

static int got(int queue, long type, int flags, const char *text) {
  return msgrcv(queue, &message, sizeof message.text, type, flags | IPC_NOWAIT) >= 0 && !strcmp(message.text, text);
}

int main(void) {
  const key_t key = 0x56455249;
  struct msqid_ds status;
  int queue = msgget(key, IPC_CREAT | IPC_EXCL | 0600), other = msgget(IPC_PRIVATE, 0600);
  assert(queue >= 0 && other >= 0 && queue != other && msgget(key, 0) == queue && msgget(key, IPC_CREAT) == queue);
  assert(msgget(key, IPC_CREAT | IPC_EXCL) == -1 && errno == EEXIST);
  assert(msgget(key + 1, 0) == -1 && errno == ENOENT);

  put(queue, 3, "a"), put(queue, 2, "b"), put(queue, 3, "c"), put(queue, 2, "d"), put(queue, 1, "e");
  assert(msgctl(queue, IPC_STAT, &status) == 0 && status.msg_qnum == 5 && status.msg_qbytes >= 10);
  assert(got(queue, -2, 0, "e") && got(queue, -3, 0, "b") && got(queue, 2, MSG_EXCEPT, "a") && got(queue, 0, 0, "c"));
  assert(msgrcv(queue, &message, 8, 3, IPC_NOWAIT) == -1 && errno == ENOMSG);
  assert(got(queue, 2, 0, "d") && msgctl(queue, IPC_STAT, &status) == 0 && status.msg_qnum == 0);

  put(queue, 7, "longer");
  assert(msgrcv(queue, &message, 2, 0, IPC_NOWAIT) == -1 && errno == E2BIG);
  memset(&message, 0, sizeof message);
  assert(msgrcv(queue, &message, 2, 0, MSG_NOERROR) == 2 && message.type == 7 && !strcmp(message.text, "lo"));
  message.type = 0;
  assert(msgsnd(queue, &message, 1, 0) == -1 && errno == EINVAL);

  assert(msgctl(queue, IPC_RMID, 0) == 0 && msgctl(other, IPC_RMID, 0) == 0);
  assert(msgrcv(queue, &message, 8, 0, 0) == -1 && errno == EINVAL);
  assert(msgget(key, 0) == -1 && errno == ENOENT);
}
