// Waiting for descriptors: poll, select and epoll on pipes, sockets of this process, eventfd, timerfd and files.
//
// Threads look at what they wait for while they hold a lock that whoever changes something takes to tell them. So no
// change comes between the last look and the waiting.
#include "waiting.h"

static Mutex looking;
static Condition descriptors;

static void tell(const void *where, int what);

static void changed(const void *where, int what) {
  if (what != READY_SAME)
    tell(where, what);
  pthread_cond_broadcast(&descriptors);
}

// A thread that waits keeps open what it waits for, as in Linux: what is closed meanwhile is closed when it is done.
static int kept(End *end) {
  if (!end->waiting)
    return 0;
  pthread_mutex_lock(&looking);
  end->closed = end->waiting > 0;
  int result = end->closed;
  pthread_mutex_unlock(&looking);
  return result;
}
// The lock is held, here and at the end.
static void keep(End *end) {
  if (end)
    end->waiting++;
}
static void done_with(End *end) {
  if (!end || --end->waiting || !end->closed)
    return;
  pthread_mutex_unlock(&looking);
  end->close(end);
  pthread_mutex_lock(&looking);
}

// What a thread waits for.
typedef struct {
  End **ends;
  unsigned long count;
} Kept;
static void let_go(void *what) {
  const Kept *all = what;
  for (unsigned long i = 0; i < all->count; i++)
    done_with(all->ends[i]);
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

Polling __verify_polling = {&looking, changed, kept, gone};

// What could be done at once with a descriptor.
static int ready(int descriptor) {
  int open;
  End *end = __verify_end(descriptor, &open);
  if (end)
    return open ? end->ready(end) : READY_INVALID;
  if (descriptor == 1 || descriptor == 2)
    return READY_OUT;
  return __verify_is_open(descriptor) ? READY_IN | READY_OUT : READY_INVALID;
}

// Timers: one that runs may be over at any moment.
_Bool __verify_either(void);
enum Timers {
  LEAVE, // the time of those that run is not over, unless there is something else to tell
  MAY,   // it may be
  MUST   // that of one is
};

static int runs(End *timer) { return (timer->ready(timer) & READY_RUNNING) != 0; }
static int any_list(void);

// Some of these timers go off while somebody looks, in any order if that can be seen.
static void go_off(End **timers, int count, enum Timers how) {
  int ordered = any_list();
  while (count && (how == MUST || __verify_either())) {
    int next = 0;
    while (next + 1 < count && __verify_either())
      next++;
    if (runs(timers[next]) && timers[next]->expire(timers[next]))
      tell(timers[next]->source, READY_IN);
    how = MAY;
    // It is done with; without an order so are those before it.
    int from = ordered ? next : 0, left = count - next - 1;
    for (int i = 0; i < left; i++)
      timers[from + i] = timers[next + 1 + i];
    count = from + left;
  }
}

// Adds a timer to `count` others, if it runs and is not one of them.
static int add_timer(End **timers, int count, End *timer) {
  for (int i = 0; i < count; i++)
    if (timers[i] == timer)
      return count;
  if (!runs(timer))
    return count;
  timers[count] = timer;
  return count + 1;
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

// What poll tells of, whatever was asked for, and select.
enum Always { OF_POLL = READY_ERROR | READY_HANG_UP | READY_INVALID, OF_SELECT = READY_INVALID };

static int look_once(Asked *asked, unsigned long count, enum Always always) {
  int all = 0;
  for (unsigned long i = 0; i < count; i++) {
    int wanted = asked[i].events | (int)always;
    asked[i].found = (short)(asked[i].descriptor < 0 ? 0 : ready(asked[i].descriptor) & wanted);
    all += asked[i].found != 0;
  }
  return all;
}

// How many are ready, and how many timers run that may be.
static int look(Asked *asked, unsigned long count, enum Always always, enum Timers timers, int *running) {
  End *all[DESCRIPTORS];
  int found = look_once(asked, count, always), left = 0;
  for (unsigned long i = 0; i < count; i++) {
    End *timer = asked[i].events & READY_IN ? timer_of(asked[i].descriptor) : NULL;
    if (timer)
      left = add_timer(all, left, timer);
  }
  *running = left;
  if (!left || (timers == LEAVE && !found))
    return found;
  go_off(all, left, found ? MAY : timers);
  return look_once(asked, count, always);
}

enum { FOREVER_TIME = -1 };
// One round of waiting: 0 when the time is over, or perhaps that of a timer. The lock is held.
static int wait_more(int time, int running, Kept *all) {
  enum { TIMED_OUT = 110 };
  static const long soon[4];
  // (Who waits is told of changes: that is a part of the program then.)
  if (!__verify_polling.changed)
    return 0;
  if (time == FOREVER_TIME && !running)
    return wait_cleanly(&descriptors, &looking, NULL, let_go, all), 1;
  return wait_cleanly(&descriptors, &looking, soon, let_go, all) != TIMED_OUT;
}

typedef struct {
  long seconds, fraction;
} Time;
int nanosleep(const Time *time, Time *left);

static End *end_of(const Asked *asked) {
  int open;
  return asked->descriptor < 0 ? NULL : __verify_end(asked->descriptor, &open);
}

// A thread that waited looks at what it asked for, of which something may have been closed. In Linux it is woken by
// what it waited for, also if that was closed, and then looks at what the descriptors are now; here everything wakes
// it, so who finds nothing does not know whether it would have looked. (With select it would not end for that.)
static void look_at_closed(Asked *asked, unsigned long count, enum Always always, End **ends) {
  int closed = 0, woken = 0;
  for (unsigned long i = 0; i < count; i++)
    closed |= ends[i] && (ends[i] != end_of(&asked[i]) || !__verify_is_open(asked[i].descriptor));
  for (unsigned long i = 0; closed && i < count; i++)
    woken |= ends[i] && ends[i]->ready(ends[i]) & (asked[i].events | (int)always);
  if (closed && (!woken || always == OF_SELECT))
    __verify_not_modelled("what becomes of a thread that waits for a descriptor which is closed meanwhile");
}

// The time is 0, FOREVER_TIME or another one, which is `all` then.
static int wait_for(Asked *asked, unsigned long count, enum Always always, int time, Time all) {
  enum { KNOWN = READY_IN | 2 | READY_OUT | READY_ERROR | READY_HANG_UP | READY_INVALID | READY_ENDED };
  for (unsigned long i = 0; i < count; i++)
    if (asked[i].descriptor >= 0 && asked[i].events & ~KNOWN)
      __verify_not_modelled("poll for other events than POLLIN, POLLPRI, POLLOUT and POLLRDHUP");
  pthread_mutex_lock(&looking);
  int running, found = look(asked, count, always, time == 0 ? MAY : LEAVE, &running);
  if (!found && time != 0) {
    End *ends[count + 1];
    for (unsigned long i = 0; i < count; i++)
      keep(ends[i] = end_of(&asked[i]));
    // Who closed one before it was kept has not seen that it is.
    int woken = 1, closed = 0;
    for (unsigned long i = 0; i < count; i++)
      closed |= ends[i] && !__verify_is_open(asked[i].descriptor);
    if (closed)
      found = look_once(asked, count, always);
    Kept all_ends = {ends, count};
    while (!found && (woken || time == FOREVER_TIME)) {
      woken = wait_more(time, running, &all_ends);
      look_at_closed(asked, count, always, ends);
      found = look(asked, count, always, woken ? LEAVE : time == FOREVER_TIME ? MUST : MAY, &running);
    }
    let_go(&all_ends);
  }
  pthread_mutex_unlock(&looking);
  if (!found && time != 0 && time != FOREVER_TIME)
    nanosleep(&all, NULL);
  return found;
}

int poll(Asked *asked, unsigned long count, int time) {
  pthread_testcancel();
  return wait_for(asked, count, OF_POLL, time < 0 ? FOREVER_TIME : time, (Time){time / 1000, time % 1000 * 1000000l});
}
int __poll_chk(Asked *asked, unsigned long count, int time, size_t size) { return (void)size, poll(asked, count, time); }
static int time_of(const Time *time) { return !time ? FOREVER_TIME : time->seconds || time->fraction; }
// `second`: how many parts it has.
static int is_wrong(const Time *time, long second) {
  int wrong = time && (time->seconds < 0 || time->fraction < 0 || time->fraction >= second);
  if (wrong)
    errno = EINVAL;
  return wrong;
}
enum { NANOSECONDS = 1000000000, MICROSECONDS = 1000000 };
int ppoll(Asked *asked, unsigned long count, const Time *time, const void *mask) {
  if (mask)
    __verify_not_modelled("ppoll with a signal mask");
  pthread_testcancel();
  if (is_wrong(time, NANOSECONDS))
    return -1;
  return wait_for(asked, count, OF_POLL, time_of(time), time ? *time : (Time){0, 0});
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
  enum { FOR_IN = READY_IN | READY_HANG_UP | READY_ERROR, FOR_OUT = READY_OUT | READY_ERROR };
  if (count < 0) {
    errno = EINVAL;
    return -1;
  }
  if (count > DESCRIPTORS)
    __verify_not_modelled("select with a descriptor above 63");
  for (int i = 0; i < count; i++) {
    if (!has(in, i) && !has(out, i) && !has(urgent, i))
      continue;
    asked[used++] = (Asked){i, (short)((has(in, i) ? FOR_IN : 0) | (has(out, i) ? FOR_OUT : 0)), 0};
  }
  wait_for(asked, (unsigned long)used, OF_SELECT, time, all);
  for (int i = 0; i < used; i++)
    if (asked[i].found & READY_INVALID) {
      errno = EBADF_;
      return -1;
    }
  for (int i = 0; i < used; i++) {
    int at = asked[i].descriptor, is = asked[i].found;
    found += in ? put(in, at, has(in, at) && (is & FOR_IN)) : 0;
    found += out ? put(out, at, has(out, at) && (is & FOR_OUT)) : 0;
    if (urgent)
      put(urgent, at, 0);
  }
  return found;
}
int select(int count, Set *in, Set *out, Set *urgent, const Time *time) {
  pthread_testcancel();
  if (is_wrong(time, __LONG_MAX__))
    return -1;
  Time all = time ? (Time){time->seconds + time->fraction / MICROSECONDS, time->fraction % MICROSECONDS * 1000} : (Time){0, 0};
  return choose(count, in, out, urgent, time_of(time), all);
}
int pselect(int count, Set *in, Set *out, Set *urgent, const Time *time, const void *mask) {
  if (mask)
    __verify_not_modelled("pselect with a signal mask");
  pthread_testcancel();
  if (is_wrong(time, NANOSECONDS))
    return -1;
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
static int any_list(void) { return lists != NULL; }

static int is_open(Entry *entry) {
  int open;
  return __verify_end(entry->descriptor, &open) == entry->end && open;
}

// The timers of a list that run and are to be told of.
static int timers_of(List *list, End **all, int but_queued) {
  int count = 0;
  for (Entry *entry = list->entries; entry; entry = entry->next)
    if (entry->end->expire && !entry->off && !(but_queued && entry->queued) && entry->event.events & READY_IN && is_open(entry))
      count = add_timer(all, count, entry->end);
  return count;
}

static List *looked_at; // that whose timers go off
static void go_off_in(List *list, End **timers, int count, enum Timers how) {
  List *before = looked_at;
  looked_at = list;
  go_off(timers, count, how);
  looked_at = before;
}

static void enqueue(List *list, Entry *entry) {
  if (entry->queued || entry->off)
    return;
  // Timers that run may have gone off before.
  End *timers[DESCRIPTORS];
  if (list != looked_at)
    go_off_in(list, timers, timers_of(list, timers, 1), MAY);
  if (entry->queued)
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

static unsigned ready_of(Entry *entry) {
  unsigned wanted = (entry->event.events & 0xffff) | READY_ERROR | READY_HANG_UP;
  return entry->off || !is_open(entry) ? 0 : (unsigned)entry->end->ready(entry->end) & wanted;
}

// Something happened, so that what reads or writes there may be ready.
static void tell(const void *where, int what) {
  for (List *list = lists; list; list = list->next)
    for (Entry *entry = list->entries; entry; entry = entry->next) {
      int reads = entry->end->source == where, writes = entry->end->sink == where;
      int in = (what == READY_IN || what == READY_PERHAPS) && reads && entry->event.events & READY_IN;
      int out = what == READY_OUT && writes && entry->event.events & READY_OUT;
      int concerns = in || out || (what == READY_HANG_UP && (reads || writes));
      // Whether room in a pipe or socket is an event depends on how much there was before.
      int doubtful = what == READY_PERHAPS || (out && entry->event.events & EDGE && !reads);
      if (concerns && !entry->queued && !entry->off && (!doubtful || __verify_either()))
        enqueue(list, entry);
    }
}

static long no_bytes(End *end, void *to, size_t size) { return (void)end, (void)to, (void)size, errno = EINVAL, -1; }
static long takes_none(End *end, const void *from, size_t size) { return (void)end, (void)from, (void)size, errno = EINVAL, -1; }
static void close_list(End *end) {
  List *list = (List *)end;
  pthread_mutex_lock(&looking);
  end->closed = end->waiting > 0;
  if (end->closed) {
    pthread_mutex_unlock(&looking);
    return;
  }
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
  if (flags & ~CLOSE_ON_EXEC) {
    errno = EINVAL;
    return -1;
  }
  List *list = __verify_keep(sizeof *list);
  *list = (List){.end = {no_bytes, takes_none, close_list, ready_list, 0, NULL, NULL, NULL, 0, 0}};
  pthread_mutex_lock(&looking);
  list->next = lists;
  lists = list;
  pthread_mutex_unlock(&looking);
  return __verify_open_end(&list->end, flags);
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
  errno = (end ? open : __verify_is_open(descriptor)) ? EINVAL : EBADF;
  return NULL;
}

int epoll_ctl(int descriptor, int operation, int which, Event *event) {
  enum { ADD = 1, REMOVE = 2, CHANGE = 3, EXISTS = 17, NOT_ALLOWED = 1 };
  List *list = list_of(descriptor);
  int open;
  if (!list && errno == EBADF)
    return -1;
  End *end = __verify_end(which, &open);
  if (!end || !open) {
    errno = end || !__verify_is_open(which) ? EBADF : NOT_ALLOWED;
    return -1;
  }
  if (!list || end == &list->end) {
    errno = EINVAL;
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
  End *all[DESCRIPTORS];
  int found = 0, left = timers_of(list, all, 0), any = 0;
  *running = left;
  for (Entry *entry = list->queue; left && entry; entry = entry->behind)
    any |= ready_of(entry) != 0;
  if (left && (timers != LEAVE || any))
    go_off_in(list, all, left, any ? MAY : timers);
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
  if (most <= 0) {
    errno = EINVAL;
    return -1;
  }
  int forever = time < 0;
  pthread_mutex_lock(&looking);
  List *list = list_of(descriptor);
  if (!list) {
    pthread_mutex_unlock(&looking);
    return -1;
  }
  keep(&list->end);
  int running, found = look_at(list, to, most, time == 0 ? MAY : LEAVE, &running);
  while (!found && time != 0) {
    int woken = wait_more(forever ? FOREVER_TIME : time, running, &(Kept){(End *[]){&list->end}, 1});
    found = look_at(list, to, most, woken ? LEAVE : forever ? MUST : MAY, &running);
    if (!woken && !forever)
      break;
  }
  done_with(&list->end);
  pthread_mutex_unlock(&looking);
  if (!found && time > 0)
    nanosleep(&(Time){time / 1000, time % 1000 * 1000000l}, NULL);
  return found;
}
int epoll_pwait(int descriptor, Event *to, int most, int time, const void *mask) {
  if (mask)
    __verify_not_modelled("epoll_pwait with a signal mask");
  return epoll_wait(descriptor, to, most, time);
}
