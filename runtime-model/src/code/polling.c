// Waiting for descriptors: poll, select and epoll on pipes, sockets of this process, eventfd, timerfd and files.
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

static void tell(const void *where, int what);

static void changed(const void *where, int what) {
  pthread_mutex_lock(&looking);
  if (what != READY_SAME)
    tell(where, what);
  pthread_cond_broadcast(&descriptors);
  pthread_mutex_unlock(&looking);
}

static void gone(const void *source, int *reader, const void *sink, int *writer) {
  pthread_mutex_lock(&looking);
  if (reader)
    *reader = 1, tell(source, READY_HANG_UP);
  if (writer)
    *writer = 1, tell(sink, READY_HANG_UP);
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

// Timers: one that runs may be over at any moment.
_Bool __verify_either(void);
enum Timers {
  LEAVE, // the time of those that run is not over, unless there is something else to tell
  MAY,   // it may be
  MUST   // that of one is
};

// A timer that runs, one of `left`, while somebody looks; `gone_off`: whether another one of them has.
static void look_at_timer(End *end, enum Timers timers, int left, int *gone_off) {
  if (((timers == MUST && left == 1 && !*gone_off) || __verify_either()) && end->expire(end)) {
    *gone_off = 1;
    tell(end->source, READY_IN);
  }
}

typedef struct {
  int descriptor;
  short events, found;
} Asked;

static End *timer_of(int descriptor) {
  int open;
  End *end = descriptor < 0 ? NULL : __verify_end(descriptor, &open);
  return end && open && end->expire ? end : NULL;
}

static int look_once(Asked *asked, unsigned long count) {
  int all = 0;
  for (unsigned long i = 0; i < count; i++) {
    int wanted = asked[i].events | READY_ERROR | READY_HANG_UP | READY_INVALID;
    asked[i].found = (short)(asked[i].descriptor < 0 ? 0 : ready(asked[i].descriptor) & wanted);
    all += asked[i].found != 0;
  }
  return all;
}

// How many are ready, and how many timers run that may be.
static int look(Asked *asked, unsigned long count, enum Timers timers, int *running) {
  int found = look_once(asked, count), left = 0, gone_off = 0;
  for (unsigned long i = 0; i < count; i++)
    if (timer_of(asked[i].descriptor) && asked[i].events & READY_IN)
      left += (ready(asked[i].descriptor) & READY_RUNNING) != 0;
  *running = left;
  if (!left || (timers == LEAVE && !found))
    return found;
  if (found)
    timers = MAY;
  for (unsigned long i = 0; i < count; i++) {
    End *end = asked[i].events & READY_IN ? timer_of(asked[i].descriptor) : NULL;
    if (end && (ready(asked[i].descriptor) & READY_RUNNING))
      look_at_timer(end, timers, left--, &gone_off);
  }
  return look_once(asked, count);
}

enum { FOREVER_TIME = -1 };
// One round of waiting: 0 when the time is over, or perhaps that of a timer. The lock is held.
static int wait_more(int time, int running) {
  enum { TIMED_OUT = 110 };
  static const long soon[4];
  // (Who waits is told of changes: that is a part of the program then.)
  if (!__verify_polling.changed)
    return 0;
  if (time == FOREVER_TIME && !running)
    return pthread_cond_wait(&descriptors, &looking), 1;
  return pthread_cond_timedwait(&descriptors, &looking, soon) != TIMED_OUT;
}

typedef struct {
  long seconds, fraction;
} Time;
int nanosleep(const Time *time, Time *left);

// The time is 0, FOREVER_TIME or another one, which is `all` then.
static int wait_for(Asked *asked, unsigned long count, int time, Time all) {
  enum { KNOWN = READY_IN | 2 | READY_OUT | READY_ERROR | READY_HANG_UP | READY_INVALID | READY_ENDED };
  for (unsigned long i = 0; i < count; i++)
    if (asked[i].descriptor >= 0 && asked[i].events & ~KNOWN)
      __verify_not_modelled("poll for other events than POLLIN, POLLPRI, POLLOUT and POLLRDHUP");
  pthread_mutex_lock(&looking);
  int running, found = look(asked, count, time == 0 ? MAY : LEAVE, &running);
  while (!found && time != 0) {
    int woken = wait_more(time, running);
    found = look(asked, count, woken ? LEAVE : time == FOREVER_TIME ? MUST : MAY, &running);
    if (!woken && time != FOREVER_TIME)
      break;
  }
  pthread_mutex_unlock(&looking);
  if (!found && time != 0 && time != FOREVER_TIME)
    nanosleep(&all, NULL);
  return found;
}

int poll(Asked *asked, unsigned long count, int time) {
  pthread_testcancel();
  return wait_for(asked, count, time < 0 ? FOREVER_TIME : time, (Time){time / 1000, time % 1000 * 1000000l});
}
int __poll_chk(Asked *asked, unsigned long count, int time, size_t size) { return (void)size, poll(asked, count, time); }
static int time_of(const Time *time) { return !time ? FOREVER_TIME : time->seconds || time->fraction; }
int ppoll(Asked *asked, unsigned long count, const Time *time, const void *mask) {
  if (mask)
    __verify_not_modelled("ppoll with a signal mask");
  pthread_testcancel();
  return wait_for(asked, count, time_of(time), time ? *time : (Time){0, 0});
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

static int choose(int count, Set *in, Set *out, Set *urgent, int time, Time all) {
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
  wait_for(asked, (unsigned long)used, time, all);
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
  return choose(count, in, out, urgent, time_of(time), time ? (Time){time->seconds, time->fraction * 1000} : (Time){0, 0});
}
int pselect(int count, Set *in, Set *out, Set *urgent, const Time *time, const void *mask) {
  if (mask)
    __verify_not_modelled("pselect with a signal mask");
  pthread_testcancel();
  return choose(count, in, out, urgent, time_of(time), time ? *time : (Time){0, 0});
}

// epoll: a list of descriptors, kept under the same lock. What may be ready waits in a queue, in the order in which
// that happened, as in Linux: whoever waits finds what is still ready of it. What is edge-triggered leaves the queue
// then, until something happens again; the others stay, behind all.

typedef struct {
  unsigned events;
  unsigned long long data;
} __attribute__((packed)) Event;
enum { EDGE = 1u << 31, ONCE = 1u << 30, AWAKE = 1u << 29 };

typedef struct Entry {
  int descriptor;
  End *end; // what it was when it was added: a number may be given out again
  Event event;
  int off;    // it was told of once, and was to be
  int queued; // it is in the queue
  struct Entry *next, *behind;
} Entry;

typedef struct List {
  End end;
  Entry *entries, *queue;
  struct List *next;
} List;
static List *lists;

static void enqueue(List *list, Entry *entry) {
  if (entry->queued || entry->off)
    return;
  Entry **place = &list->queue;
  while (*place)
    place = &(*place)->behind;
  entry->queued = 1;
  entry->behind = NULL;
  *place = entry;
}

static void dequeue(List *list, Entry *entry) {
  Entry **place = &list->queue;
  while (*place && *place != entry)
    place = &(*place)->behind;
  if (*place)
    *place = entry->behind;
  entry->queued = 0;
}

static int is_open(Entry *entry) {
  int open;
  return __verify_end(entry->descriptor, &open) == entry->end && open;
}

static unsigned ready_of(Entry *entry) {
  unsigned wanted = (entry->event.events & 0xffff) | READY_ERROR | READY_HANG_UP;
  return entry->off || !is_open(entry) ? 0 : (unsigned)entry->end->ready(entry->end) & wanted;
}

// Something happened, so that what reads or writes there may be ready.
static void tell(const void *where, int what) {
  for (List *list = lists; list; list = list->next)
    for (Entry *entry = list->entries; entry; entry = entry->next) {
      int reads = entry->end->source == where, writes = entry->end->sink == where;
      int concerns = what == READY_HANG_UP ? reads || writes : (what == READY_IN ? reads : writes) && (entry->event.events & (unsigned)what);
      // Whether room in a pipe or socket is an event depends on how much there was before.
      int doubtful = what == READY_OUT && entry->event.events & EDGE && entry->end->source != where;
      if (concerns && !entry->queued && !entry->off && (!doubtful || __verify_either()))
        enqueue(list, entry);
    }
}

static long no_bytes(End *end, void *to, size_t size) { return (void)end, (void)to, (void)size, errno = EINVAL, -1; }
static long takes_none(End *end, const void *from, size_t size) { return (void)end, (void)from, (void)size, errno = EINVAL, -1; }
static void close_list(End *end) {
  List *list = (List *)end;
  pthread_mutex_lock(&looking);
  List **place = &lists;
  while (*place != list)
    place = &(*place)->next;
  *place = list->next;
  while (list->entries) {
    Entry *next = list->entries->next;
    free(list->entries);
    list->entries = next;
  }
  list->queue = NULL;
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
  *list = (List){.end = {no_bytes, takes_none, close_list, ready_list, 0, NULL, NULL, NULL}};
  pthread_mutex_lock(&looking);
  list->next = lists;
  lists = list;
  pthread_mutex_unlock(&looking);
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
  enum { ADD = 1, REMOVE = 2, CHANGE = 3, EXISTS = 17, NOT_ALLOWED = 1 };
  List *list = list_of(descriptor);
  int open;
  End *end = __verify_end(which, &open);
  if (!list)
    return -1;
  if (!end || !open) {
    errno = ready(which) == READY_INVALID ? EBADF : NOT_ALLOWED;
    return -1;
  }
  enum { KNOWN = READY_IN | 2 | READY_OUT | READY_ERROR | READY_HANG_UP | READY_ENDED };
  if (operation != REMOVE && event->events & ~(KNOWN | EDGE | ONCE | AWAKE))
    __verify_not_modelled("epoll with other events than EPOLLIN, EPOLLPRI, EPOLLOUT, EPOLLRDHUP, EPOLLET and EPOLLONESHOT");
  pthread_mutex_lock(&looking);
  Entry **place = &list->entries;
  while (*place && ((*place)->descriptor != which || (*place)->end != end))
    place = &(*place)->next;
  Entry *entry = *place;
  int error = operation == ADD ? (entry ? EXISTS : 0) : operation == CHANGE || operation == REMOVE ? (entry ? 0 : ENOENT) : EINVAL;
  if (!error && operation == ADD) {
    *place = entry = __verify_keep(sizeof *entry);
    *entry = (Entry){.descriptor = which, .end = end, .event = *event};
  } else if (!error && operation == CHANGE) {
    entry->event = *event;
    entry->off = 0;
  } else if (!error) {
    dequeue(list, entry);
    *place = entry->next;
    free(entry);
  }
  if (!error) {
    if (operation != REMOVE && ready_of(entry))
      enqueue(list, entry);
    pthread_cond_broadcast(&descriptors);
  }
  pthread_mutex_unlock(&looking);
  if (error)
    errno = error;
  return error ? -1 : 0;
}

static int look_at(List *list, Event *to, int most, enum Timers timers, int *running) {
  int found = 0, left = 0, gone_off = 0, any = 0;
  for (Entry *entry = list->entries; entry; entry = entry->next)
    if (entry->end->expire && !entry->off && entry->event.events & READY_IN && is_open(entry))
      left += (entry->end->ready(entry->end) & READY_RUNNING) != 0;
  *running = left;
  for (Entry *entry = list->queue; left && entry; entry = entry->behind)
    any |= ready_of(entry) != 0;
  if (left && (timers != LEAVE || any))
    for (Entry *entry = list->entries; entry; entry = entry->next)
      if (entry->end->expire && !entry->off && entry->event.events & READY_IN && is_open(entry) &&
          (entry->end->ready(entry->end) & READY_RUNNING))
        look_at_timer(entry->end, any ? MAY : timers, left--, &gone_off);
  Entry *queue = list->queue, *again = NULL, **last = &again;
  while (queue && found < most) {
    Entry *entry = queue;
    queue = entry->behind;
    entry->queued = 0;
    entry->behind = NULL;
    unsigned is = ready_of(entry);
    if (!is)
      continue;
    to[found++] = (Event){is, entry->event.data};
    if (entry->event.events & ONCE)
      entry->off = 1;
    else if (!(entry->event.events & EDGE)) {
      entry->queued = 1;
      *last = entry;
      last = &entry->behind;
    }
  }
  list->queue = queue;
  Entry **end = &list->queue;
  while (*end)
    end = &(*end)->behind;
  *end = again;
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
  int forever = time < 0;
  pthread_mutex_lock(&looking);
  int running, found = look_at(list, to, most, time == 0 ? MAY : LEAVE, &running);
  while (!found && time != 0) {
    int woken = wait_more(forever ? FOREVER_TIME : time, running);
    found = look_at(list, to, most, woken ? LEAVE : forever ? MUST : MAY, &running);
    if (!woken && !forever)
      break;
  }
  pthread_mutex_unlock(&looking);
  return found;
}
int epoll_pwait(int descriptor, Event *to, int most, int time, const void *mask) {
  if (mask)
    __verify_not_modelled("epoll_pwait with a signal mask");
  return epoll_wait(descriptor, to, most, time);
}
