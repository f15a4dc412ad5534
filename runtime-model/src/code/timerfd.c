// timerfd: timers with descriptors.
//
// A timer that runs may be over at any moment, as all times here: whoever looks at it finds it over or not, both are
// explored. Who waits for it finds it over.
#include "files.h"

typedef struct {
  long words[6];
} Condition;
int pthread_cond_wait(Condition *, Mutex *);
int pthread_cond_broadcast(Condition *);
int clock_gettime(int clock, long *time);
_Bool __verify_either(void);
long long __verify_any_number(void);

enum { EAGAIN = 11, CLOSE_ON_EXEC = 02000000, SECOND = 1000000000, ABSOLUTE = 1, CANCEL_ON_SET = 2 };
enum State { STOPPED, RUNNING, OVER };
typedef struct {
  long seconds, nanoseconds;
} Time;
typedef struct {
  Time interval, value;
} Setting;
typedef struct {
  End end;
  Mutex lock;
  Condition changed;
  enum State state;
  Setting setting;
  int absolute, clock, flags;
} Timer;

static int is_zero(Time time) { return time.seconds == 0 && time.nanoseconds == 0; }

static int waits(Timer *timer) {
  return !((__verify_linked("__verify_sets_flags") ? timer->end.flags : timer->flags) & NOT_WAITING);
}

static long take(End *end, void *to, size_t size) {
  Timer *timer = (Timer *)end;
  if (size < 8) {
    errno = EINVAL;
    return -1;
  }
  pthread_mutex_lock(&timer->lock);
  if (waits(timer))
    while (timer->state == STOPPED)
      pthread_cond_wait(&timer->changed, &timer->lock);
  else if (timer->state == STOPPED || (timer->state == RUNNING && !__verify_either())) {
    pthread_mutex_unlock(&timer->lock);
    errno = EAGAIN;
    return -1;
  }
  uint64_t times = 1;
  if (is_zero(timer->setting.interval))
    timer->state = STOPPED;
  else {
    // It goes off again and again, and nobody knows how often it has.
    times = ((uint64_t)__verify_any_number() >> 1) + 1;
    timer->state = RUNNING;
  }
  pthread_mutex_unlock(&timer->lock);
  __builtin_memcpy(to, &times, 8);
  __verify_changed(timer, READY_SAME);
  return 8;
}

static long put(End *end, const void *from, size_t size) { return (void)end, (void)from, (void)size, errno = EINVAL, -1; }
static void close_timer(End *end) { (void)end; }

static int ready(End *end) {
  Timer *timer = (Timer *)end;
  pthread_mutex_lock(&timer->lock);
  int found = timer->state == OVER ? READY_IN : timer->state == RUNNING ? READY_RUNNING : 0;
  pthread_mutex_unlock(&timer->lock);
  return found;
}

static int expire(End *end) {
  Timer *timer = (Timer *)end;
  pthread_mutex_lock(&timer->lock);
  if (timer->state == RUNNING)
    timer->state = OVER;
  int is_over = timer->state == OVER;
  pthread_mutex_unlock(&timer->lock);
  return is_over;
}

int timerfd_create(int clock, int flags) {
  enum { REALTIME = 0, MONOTONIC = 1, BOOT_TIME = 7, REALTIME_ALARM = 8, BOOT_TIME_ALARM = 9 };
  if (clock == REALTIME_ALARM || clock == BOOT_TIME_ALARM)
    __verify_not_modelled("timerfd_create with a clock that wakes the machine");
  if ((flags & ~(NOT_WAITING | CLOSE_ON_EXEC)) || (clock != REALTIME && clock != MONOTONIC && clock != BOOT_TIME)) {
    errno = EINVAL;
    return -1;
  }
  Timer *timer = __verify_keep(sizeof *timer);
  *timer = (Timer){.end = {take, put, close_timer, ready, flags & NOT_WAITING, timer, NULL, expire}};
  timer->clock = clock;
  timer->flags = flags & NOT_WAITING;
  return __verify_open_end(&timer->end);
}

static Timer *timer_of(int descriptor) {
  int open;
  End *end = __verify_end(descriptor, &open);
  if (end && open && end->expire == expire)
    return (Timer *)end;
  int is_file = !end && descriptor >= 0 && descriptor < DESCRIPTORS && (descriptor < 3 || __verify_descriptions[descriptor].file);
  errno = (end && open) || is_file ? EINVAL : EBADF;
  return NULL;
}

// How long it still runs; the lock is held. By the clock of this thread no time passes unless it asks for the time.
static void describe(Timer *timer, Setting *to) {
  Time now;
  clock_gettime(timer->clock == 0 ? 0 : 1, (long *)&now);
  if (timer->state == RUNNING && __verify_either())
    timer->state = OVER;
  Setting now_set = {timer->setting.interval, timer->setting.value};
  if (timer->state == STOPPED)
    now_set.value = (Time){0, 0};
  else if (timer->state == OVER)
    now_set.value = timer->setting.interval;
  else if (timer->state == RUNNING && timer->absolute) {
    now_set.value.seconds -= now.seconds;
    now_set.value.nanoseconds -= now.nanoseconds;
    if (now_set.value.nanoseconds < 0)
      now_set.value.seconds--, now_set.value.nanoseconds += SECOND;
    if (now_set.value.seconds < 0 || is_zero(now_set.value))
      now_set.value = (Time){0, 1};
  }
  __builtin_memcpy(to, &now_set, sizeof now_set);
}

static int is_time(Time time) { return time.seconds >= 0 && time.nanoseconds >= 0 && time.nanoseconds < SECOND; }

int timerfd_settime(int descriptor, int flags, const Setting *new, Setting *old) {
  if (flags & CANCEL_ON_SET)
    __verify_not_modelled("timerfd_settime with TFD_TIMER_CANCEL_ON_SET");
  Setting setting = *new;
  if ((flags & ~ABSOLUTE) || !is_time(setting.value) || !is_time(setting.interval)) {
    errno = EINVAL;
    return -1;
  }
  Timer *timer = timer_of(descriptor);
  if (!timer)
    return -1;
  Setting before;
  pthread_mutex_lock(&timer->lock);
  if (old)
    describe(timer, &before);
  timer->state = is_zero(setting.value) ? STOPPED : RUNNING;
  if (timer->state == STOPPED)
    setting.value = setting.interval = (Time){0, 0};
  timer->setting = setting;
  timer->absolute = flags & ABSOLUTE;
  pthread_cond_broadcast(&timer->changed);
  pthread_mutex_unlock(&timer->lock);
  if (old)
    *old = before;
  __verify_changed(timer, READY_SAME);
  return 0;
}

int timerfd_gettime(int descriptor, Setting *to) {
  Timer *timer = timer_of(descriptor);
  if (!timer)
    return -1;
  Setting now;
  pthread_mutex_lock(&timer->lock);
  describe(timer, &now);
  pthread_mutex_unlock(&timer->lock);
  *to = now;
  return 0;
}
