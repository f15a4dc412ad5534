// Waiting for descriptors: poll, select and epoll on pipes, sockets of this process, eventfd and files; and eventfd
// itself.
//
// Threads look at what they wait for while they hold a lock that whoever changes something takes to tell them. So no
// change comes between the last look and the waiting.
#include "files.h"

typedef struct {
  long words[6];
} Condition;
int pthread_cond_wait(Condition *, Mutex *);
int pthread_cond_timedwait(Condition *, Mutex *, const void *time);
int pthread_cond_broadcast(Condition *);

static Mutex looking;
static Condition descriptors;

static void changed(void) {
  pthread_mutex_lock(&looking);
  pthread_cond_broadcast(&descriptors);
  pthread_mutex_unlock(&looking);
}

static void gone(int *reader, int *writer) {
  pthread_mutex_lock(&looking);
  if (reader)
    *reader = 1;
  if (writer)
    *writer = 1;
  pthread_cond_broadcast(&descriptors);
  pthread_mutex_unlock(&looking);
}

Polling __verify_polling = {changed, gone};

// What could be done at once with a descriptor.
static int ready(int descriptor) {
  int open;
  End *end = __verify_end(descriptor, &open);
  if (end)
    return open ? end->ready(end) : READY_INVALID;
  if (descriptor == 1 || descriptor == 2)
    return READY_OUT;
  if (descriptor == 0 || (descriptor > 0 && descriptor < DESCRIPTORS && __verify_descriptions[descriptor].file))
    return READY_IN | READY_OUT;
  return READY_INVALID;
}

typedef struct {
  int descriptor;
  short events, found;
} Asked;

static int look(Asked *asked, unsigned long count) {
  int all = 0;
  for (unsigned long i = 0; i < count; i++) {
    int wanted = asked[i].events | READY_ERROR | READY_HANG_UP | READY_INVALID;
    asked[i].found = (short)(asked[i].descriptor < 0 ? 0 : ready(asked[i].descriptor) & wanted);
    all += asked[i].found != 0;
  }
  return all;
}

enum { FOREVER_TIME = -1 };
// One round of waiting: 0 when the time is over. The lock is held.
static int wait_more(int time) {
  enum { TIMED_OUT = 110 };
  static const long soon[4];
  // (Who waits is told of changes: that is a part of the program then.)
  if (!__verify_polling.changed)
    return 0;
  if (time == FOREVER_TIME)
    return pthread_cond_wait(&descriptors, &looking), 1;
  return pthread_cond_timedwait(&descriptors, &looking, soon) != TIMED_OUT;
}

static int wait_for(Asked *asked, unsigned long count, int time) {
  pthread_mutex_lock(&looking);
  int found;
  while (!(found = look(asked, count)) && time != 0 && wait_more(time))
    ;
  if (!found)
    found = look(asked, count);
  pthread_mutex_unlock(&looking);
  return found;
}

int poll(Asked *asked, unsigned long count, int time) {
  pthread_testcancel();
  return wait_for(asked, count, time < 0 ? FOREVER_TIME : time);
}
int __poll_chk(Asked *asked, unsigned long count, int time, size_t size) { return (void)size, poll(asked, count, time); }
typedef struct {
  long seconds, fraction;
} Time;
static int time_of(const Time *time) { return !time ? FOREVER_TIME : time->seconds || time->fraction; }
int ppoll(Asked *asked, unsigned long count, const Time *time, const void *mask) {
  if (mask)
    __verify_not_modelled("ppoll with a signal mask");
  pthread_testcancel();
  return wait_for(asked, count, time_of(time));
}

typedef struct {
  unsigned long bits[1024 / (8 * sizeof(long))];
} Set;
static int has(const Set *set, int i) {
  return set && (set->bits[i / (8 * (int)sizeof(long))] >> i % (8 * (int)sizeof(long)) & 1);
}
static int put(Set *set, int i, int in) {
  if (in)
    set->bits[i / (8 * (int)sizeof(long))] |= 1ul << i % (8 * (int)sizeof(long));
  else if (set)
    set->bits[i / (8 * (int)sizeof(long))] &= ~(1ul << i % (8 * (int)sizeof(long)));
  return in;
}

static int choose(int count, Set *in, Set *out, Set *urgent, int time) {
  enum { EBADF_ = 9 };
  Asked asked[DESCRIPTORS];
  int used = 0, found = 0;
  if (count < 0 || count > DESCRIPTORS)
    __verify_not_modelled("select with a descriptor above 63");
  for (int i = 0; i < count; i++) {
    if (!has(in, i) && !has(out, i) && !has(urgent, i))
      continue;
    asked[used++] = (Asked){i, (short)((has(in, i) ? READY_IN : 0) | (has(out, i) ? READY_OUT : 0)), 0};
  }
  wait_for(asked, (unsigned long)used, time);
  for (int i = 0; i < used; i++)
    if (asked[i].found & READY_INVALID) {
      errno = EBADF_;
      return -1;
    }
  for (int i = 0; i < used; i++) {
    int at = asked[i].descriptor, is = asked[i].found;
    found += in ? put(in, at, has(in, at) && (is & (READY_IN | READY_HANG_UP | READY_ERROR))) : 0;
    found += out ? put(out, at, has(out, at) && (is & (READY_OUT | READY_ERROR))) : 0;
    if (urgent)
      put(urgent, at, 0);
  }
  return found;
}
int select(int count, Set *in, Set *out, Set *urgent, const Time *time) {
  pthread_testcancel();
  return choose(count, in, out, urgent, time_of(time));
}
int pselect(int count, Set *in, Set *out, Set *urgent, const Time *time, const void *mask) {
  if (mask)
    __verify_not_modelled("pselect with a signal mask");
  return select(count, in, out, urgent, time);
}

// epoll: a list of descriptors, kept under the same lock.

typedef struct {
  unsigned events;
  unsigned long long data;
} __attribute__((packed)) Event;

typedef struct Entry {
  int descriptor;
  End *end; // what it was when it was added: a number may be given out again
  Event event;
  struct Entry *next;
} Entry;

typedef struct {
  End end;
  Entry *entries;
} List;

static long no_bytes(End *end, void *to, size_t size) { return (void)end, (void)to, (void)size, errno = EINVAL, -1; }
static long takes_none(End *end, const void *from, size_t size) { return (void)end, (void)from, (void)size, errno = EINVAL, -1; }
static void close_list(End *end) {
  List *list = (List *)end;
  pthread_mutex_lock(&looking);
  while (list->entries) {
    Entry *next = list->entries->next;
    free(list->entries);
    list->entries = next;
  }
  pthread_mutex_unlock(&looking);
}
static int ready_list(End *end) {
  (void)end;
  __verify_not_modelled("an epoll descriptor among those that a thread waits for");
  return 0;
}

int epoll_create1(int flags) {
  (void)flags;
  List *list = __verify_keep(sizeof *list);
  *list = (List){{no_bytes, takes_none, close_list, ready_list, 0}, NULL};
  return __verify_open_end(&list->end);
}
int epoll_create(int size) {
  if (size > 0)
    return epoll_create1(0);
  errno = EINVAL;
  return -1;
}

static List *list_of(int descriptor) {
  int open;
  End *end = __verify_end(descriptor, &open);
  if (end && open && end->ready == ready_list)
    return (List *)end;
  errno = end && !open ? EBADF : EINVAL;
  return NULL;
}

int epoll_ctl(int descriptor, int operation, int which, Event *event) {
  enum { ADD = 1, REMOVE = 2, CHANGE = 3, EDGE = 1u << 31, ONCE = 1u << 30, EXISTS = 17, NOT_ALLOWED = 1 };
  List *list = list_of(descriptor);
  int open;
  End *end = __verify_end(which, &open);
  if (!list)
    return -1;
  if (!end || !open) {
    errno = ready(which) == READY_INVALID ? EBADF : NOT_ALLOWED;
    return -1;
  }
  if (operation != REMOVE && event->events & EDGE)
    __verify_not_modelled("EPOLLET");
  pthread_mutex_lock(&looking);
  Entry **place = &list->entries;
  while (*place && ((*place)->descriptor != which || (*place)->end != end))
    place = &(*place)->next;
  Entry *entry = *place;
  int error = operation == ADD ? (entry ? EXISTS : 0) : operation == CHANGE || operation == REMOVE ? (entry ? 0 : ENOENT) : EINVAL;
  if (!error && operation == ADD) {
    *place = entry = __verify_keep(sizeof *entry);
    *entry = (Entry){which, end, *event, NULL};
  } else if (!error && operation == CHANGE)
    entry->event = *event;
  else if (!error) {
    *place = entry->next;
    free(entry);
  }
  if (!error)
    pthread_cond_broadcast(&descriptors);
  pthread_mutex_unlock(&looking);
  if (error)
    errno = error;
  return error ? -1 : 0;
}

static int look_at(List *list, Event *to, int most) {
  enum { ONCE = 1u << 30 };
  int found = 0;
  for (Entry *entry = list->entries; entry && found < most; entry = entry->next) {
    int open;
    if (__verify_end(entry->descriptor, &open) != entry->end || !open)
      continue;
    // One that was told once is told of nothing any more.
    unsigned wanted = entry->event.events ? (entry->event.events & 0xffff) | READY_ERROR | READY_HANG_UP : 0;
    unsigned is = (unsigned)entry->end->ready(entry->end) & wanted;
    if (!is)
      continue;
    to[found++] = (Event){is, entry->event.data};
    if (entry->event.events & ONCE)
      entry->event.events = 0;
  }
  return found;
}

int epoll_wait(int descriptor, Event *to, int most, int time) {
  pthread_testcancel();
  List *list = list_of(descriptor);
  if (!list || most <= 0) {
    if (list)
      errno = EINVAL;
    return -1;
  }
  pthread_mutex_lock(&looking);
  int found;
  while (!(found = look_at(list, to, most)) && time != 0 && wait_more(time < 0 ? FOREVER_TIME : time))
    ;
  if (!found)
    found = look_at(list, to, most);
  pthread_mutex_unlock(&looking);
  return found;
}
int epoll_pwait(int descriptor, Event *to, int most, int time, const void *mask) {
  if (mask)
    __verify_not_modelled("epoll_pwait with a signal mask");
  return epoll_wait(descriptor, to, most, time);
}
