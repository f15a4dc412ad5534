// System V message queues. Looking up a queue is an action of its own: a thread that finds no queue is told so, and a
// thread that has found it and then waits is told that it was removed.
#include "queues.h"

// A pthread_mutex_t.
typedef struct {
  long words[6];
} Mutex;
int pthread_mutex_lock(Mutex *);
int pthread_mutex_unlock(Mutex *);

enum { EEXIST = 17, CREATE = 01000, EXCLUSIVE = 02000, NO_ERROR = 010000, ALL_BUT = 020000, COPY = 040000 };
enum { LARGEST = 8192, BYTES = 16384, QUEUES = 64 };

typedef struct {
  long type;
  size_t size;
  char bytes[];
} Message;

static _Atomic(Queue *) queues[QUEUES];
// Held while queues are made and removed, with their keys; a key of 0 is none.
static Mutex lock;
static int keys[QUEUES], made;

static int look_up(int key, int flags) {
  for (int i = 0; key && i < made; i++)
    if (keys[i] == key) {
      if ((flags & CREATE) && (flags & EXCLUSIVE)) {
        errno = EEXIST;
        return -1;
      }
      return i;
    }
  if (key && !(flags & CREATE)) {
    errno = ENOENT;
    return -1;
  }
  if (made == QUEUES)
    __verify_not_modelled("more than 64 message queues");
  Queue *queue = __verify_keep(sizeof *queue);
  queue->number = made;
  keys[made] = key;
  queues[made] = queue;
  return made++;
}

int msgget(int key, int flags) {
  pthread_mutex_lock(&lock);
  int id = look_up(key, flags);
  pthread_mutex_unlock(&lock);
  return id;
}

static Queue *find(int id) {
  Queue *queue = id >= 0 && id < QUEUES ? queues[id] : NULL;
  if (!queue)
    errno = EINVAL;
  return queue;
}

int msgsnd(int id, const void *from, size_t size, int flags) {
  pthread_testcancel();
  long type;
  if (size > LARGEST || id < 0) {
    errno = EINVAL;
    return -1;
  }
  __builtin_memcpy(&type, from, sizeof type);
  if (type < 1) {
    errno = EINVAL;
    return -1;
  }
  Queue *queue = find(id);
  if (!queue)
    return -1;
  Message *message = __verify_keep(sizeof *message + size);
  message->type = type;
  message->size = size;
  __builtin_memcpy(message->bytes, (const char *)from + sizeof type, size);
  enum Patience patience = flags & NO_WAIT ? NEVER : FOREVER;
  unsigned long error = __verify_queue_put(queue, SYSTEM_V, message, (unsigned long)type, size, 0, patience);
  if (error) {
    free(message);
    errno = (int)error;
  }
  return error ? -1 : 0;
}

long msgrcv(int id, void *to, size_t size, long type, int flags) {
  pthread_testcancel();
  if (flags & COPY)
    __verify_not_modelled("msgrcv with MSG_COPY");
  if ((long)size < 0 || id < 0) {
    errno = EINVAL;
    return -1;
  }
  Queue *queue = find(id);
  if (!queue)
    return -1;
  int how = (flags & ALL_BUT ? EXCEPT : 0) | (flags & NO_ERROR ? CUT : 0);
  enum Patience patience = flags & NO_WAIT ? NEVER : FOREVER;
  unsigned long taken = __verify_queue_take(queue, SYSTEM_V, type, type > 0 ? how : how & CUT, size, NULL, 0, patience);
  if (taken < ERRORS) {
    errno = (int)taken;
    return -1;
  }
  Message *message = (Message *)taken;
  size_t count = message->size < size ? message->size : size;
  __builtin_memcpy(to, &message->type, sizeof message->type);
  __builtin_memcpy((char *)to + sizeof message->type, message->bytes, count);
  free(message);
  return (long)count;
}

// A struct msqid_ds, with what is looked at here.
typedef struct {
  int key, owner[4];
  unsigned mode;
  long unused[3];
  long long times[3];
  unsigned long bytes, count, most;
  int last_sender, last_receiver;
  unsigned long unused_too[2];
} Status;

static void look(Queue *queue, int id, Status *to) {
  unsigned long found[2];
  __verify_queue_look(queue, SYSTEM_V, found);
  *to = (Status){.key = keys[id], .mode = 0600, .bytes = found[1], .count = found[0], .most = BYTES};
}

int msgctl(int id, int command, void *argument) {
  enum { REMOVE = 0, STATUS = 2 };
  if (command != REMOVE && command != STATUS)
    __verify_not_modelled("msgctl with anything but IPC_RMID and IPC_STAT");
  pthread_mutex_lock(&lock);
  Queue *queue = find(id);
  if (queue && command == STATUS)
    look(queue, id, argument);
  else if (queue) {
    keys[id] = 0;
    queues[id] = NULL;
    __verify_queue_close(queue, SYSTEM_V, BOTH);
  }
  pthread_mutex_unlock(&lock);
  return queue ? 0 : -1;
}
