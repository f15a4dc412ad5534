// POSIX message queues. A name leads to a queue that outlives its closing, with its messages, until the name is gone. A
// descriptor leads to what was opened, which never changes: to change a flag puts something else in its place.
#include "queues.h"

// A pthread_mutex_t.
typedef struct {
  long words[6];
} Mutex;
int pthread_mutex_lock(Mutex *);
int pthread_mutex_unlock(Mutex *);

enum { EACCES = 13, EEXIST = 17, ENAMETOOLONG = 36, EMSGSIZE = 90 };
enum { WRITE_ONLY = 1, ACCESS = 3, CREATE = 0100, EXCLUSIVE = 0200, LONGEST = 255, PRIORITIES = 32768 };
// Descriptors are numbers that no file has.
enum { DESCRIPTORS = 64, FIRST = 1000 };
// A program is not allowed to ask for more than this.
enum { MOST_MESSAGES = 65536, MOST_BYTES = 16777216 };

typedef struct {
  long flags, most, size, count, unused[4];
} Attributes;

typedef struct Named {
  char *name; // null: unlinked
  Queue *queue;
  long most, size;
  struct Named *next;
} Named;

typedef struct {
  Named *named;
  int flags;
} Open;

typedef struct {
  size_t size;
  unsigned priority;
  char bytes[];
} Message;

static _Atomic(Open *) descriptors[DESCRIPTORS];
// Held while names are looked up and descriptors are handed out.
static Mutex lock;
static int used[DESCRIPTORS];
static Named *all;

static int fail(int error) {
  errno = error;
  return -1;
}

static const char *valid(const char *name) {
  const char *rest = name + 1;
  int error = *name != '/' ? EINVAL : !*rest ? ENOENT : strchr(rest, '/') ? EACCES : strlen(rest) > LONGEST ? ENAMETOOLONG : 0;
  if (error)
    errno = error;
  return error ? NULL : rest;
}

static Named *find(const char *name) {
  Named *named = all;
  while (named && !(named->name && strcmp(named->name, name) == 0))
    named = named->next;
  return named;
}

static Named *make(const char *name, const Attributes *wanted) {
  long most = wanted ? wanted->most : 10, size = wanted ? wanted->size : 8192;
  if (most <= 0 || size <= 0 || most > MOST_MESSAGES || size > MOST_BYTES) {
    errno = EINVAL;
    return NULL;
  }
  Named *named = __verify_keep(sizeof *named);
  Queue *queue = __verify_keep(sizeof *queue);
  queue->number = 0;
  char *copy = __verify_keep(strlen(name) + 1);
  __builtin_memcpy(copy, name, strlen(name) + 1);
  *named = (Named){.name = copy, .queue = queue, .most = most, .size = size, .next = all};
  return all = named;
}

static Open *opened(Named *named, int flags) {
  Open *open = __verify_keep(sizeof *open);
  *open = (Open){named, flags & (ACCESS | NO_WAIT)};
  return open;
}

static int open_named(const char *name, int flags, const Attributes *wanted) {
  Named *named = find(name);
  if (named && (flags & CREATE) && (flags & EXCLUSIVE))
    return fail(EEXIST);
  if (!named && !(flags & CREATE))
    return fail(ENOENT);
  int number = 0;
  while (number < DESCRIPTORS && used[number])
    number++;
  if (number == DESCRIPTORS)
    return fail(EMFILE);
  if (!named && !(named = make(name, wanted)))
    return -1;
  if (!named->queue->number)
    named->queue->number = FIRST + number;
  used[number] = 1;
  descriptors[number] = opened(named, flags);
  return FIRST + number;
}

int mq_open(const char *name, int flags, ...) {
  __verify_may_be_cancelled();
  const Attributes *wanted = NULL;
  if (flags & CREATE) {
    va_list list;
    va_start(list, flags);
    (void)va_arg(list, unsigned); // permissions: all threads are the same user
    wanted = va_arg(list, const Attributes *);
    va_end(list);
  }
  const char *known = valid(name);
  if (!known)
    return -1;
  pthread_mutex_lock(&lock);
  int descriptor = open_named(known, flags, wanted);
  pthread_mutex_unlock(&lock);
  return descriptor;
}

int __mq_open_2(const char *name, int flags) { return mq_open(name, flags); }

int mq_unlink(const char *name) {
  __verify_may_be_cancelled();
  const char *known = valid(name);
  if (!known)
    return -1;
  pthread_mutex_lock(&lock);
  Named *named = find(known);
  if (named) {
    free(named->name);
    named->name = NULL;
  }
  pthread_mutex_unlock(&lock);
  return named ? 0 : fail(ENOENT);
}

static Open *use(int descriptor) {
  int number = descriptor - FIRST;
  Open *open = number >= 0 && number < DESCRIPTORS ? descriptors[number] : NULL;
  if (!open)
    errno = EBADF;
  return open;
}

int mq_close(int descriptor) {
  pthread_mutex_lock(&lock);
  Open *open = use(descriptor);
  if (open) {
    used[descriptor - FIRST] = 0;
    descriptors[descriptor - FIRST] = NULL;
  }
  pthread_mutex_unlock(&lock);
  return open ? 0 : -1;
}

// A `struct timespec`, or null.
static int is_time(const long *time) { return !time || (time[0] >= 0 && time[1] >= 0 && time[1] < 1000000000); }

static enum Patience patience(const Open *open, const long *time) {
  return open->flags & NO_WAIT ? NEVER : time ? FOR_A_TIME : FOREVER;
}

static int put(int descriptor, const char *from, size_t size, unsigned priority, const long *time) {
  pthread_testcancel();
  if (priority >= PRIORITIES || !is_time(time))
    return fail(EINVAL);
  Open *open = use(descriptor);
  if (!open)
    return -1;
  if ((open->flags & ACCESS) == 0)
    return fail(EBADF);
  const Named *named = open->named;
  if (size > (size_t)named->size)
    return fail(EMSGSIZE);
  Message *message = __verify_keep(sizeof *message + size);
  message->size = size;
  message->priority = priority;
  __builtin_memcpy(message->bytes, from, size);
  unsigned long error =
      __verify_queue_put(named->queue, PRIORITY, message, priority, size, (unsigned)named->most, patience(open, time));
  if (error)
    free(message);
  return error ? fail((int)error) : 0;
}

int mq_send(int descriptor, const char *from, size_t size, unsigned priority) {
  return put(descriptor, from, size, priority, NULL);
}
int mq_timedsend(int descriptor, const char *from, size_t size, unsigned priority, const long *time) {
  return put(descriptor, from, size, priority, time);
}

static long take(int descriptor, char *to, size_t size, unsigned *priority, const long *time) {
  pthread_testcancel();
  if (!is_time(time))
    return fail(EINVAL);
  Open *open = use(descriptor);
  if (!open)
    return -1;
  if ((open->flags & ACCESS) == WRITE_ONLY)
    return fail(EBADF);
  const Named *named = open->named;
  if (size < (size_t)named->size)
    return fail(EMSGSIZE);
  unsigned long taken =
      __verify_queue_take(named->queue, PRIORITY, 0, 0, size, NULL, (unsigned)named->most, patience(open, time));
  if (taken < ERRORS)
    return fail((int)taken);
  Message *message = (Message *)taken;
  long count = (long)message->size;
  __builtin_memcpy(to, message->bytes, message->size);
  if (priority)
    *priority = message->priority;
  free(message);
  return count;
}

long mq_receive(int descriptor, char *to, size_t size, unsigned *priority) {
  return take(descriptor, to, size, priority, NULL);
}
long mq_timedreceive(int descriptor, char *to, size_t size, unsigned *priority, const long *time) {
  return take(descriptor, to, size, priority, time);
}

int mq_getattr(int descriptor, Attributes *to) {
  Open *open = use(descriptor);
  if (!open)
    return -1;
  unsigned long found[2];
  __verify_queue_look(open->named->queue, PRIORITY, found);
  *to = (Attributes){.flags = open->flags & NO_WAIT, .most = open->named->most, .size = open->named->size, .count = (long)found[0]};
  return 0;
}

int mq_setattr(int descriptor, const Attributes *new, Attributes *old) {
  if (new->flags & ~NO_WAIT)
    return fail(EINVAL);
  int flags = (int)new->flags;
  if (old && mq_getattr(descriptor, old))
    return -1;
  pthread_mutex_lock(&lock);
  Open *open = use(descriptor);
  if (open)
    descriptors[descriptor - FIRST] = opened(open->named, (open->flags & ACCESS) | flags);
  pthread_mutex_unlock(&lock);
  return open ? 0 : -1;
}

int mq_notify(int descriptor, const void *how) {
  (void)descriptor, (void)how;
  __verify_not_modelled("mq_notify");
  return -1;
}
