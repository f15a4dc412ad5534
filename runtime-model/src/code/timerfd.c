// timerfd: timers with descriptors.
//
// A timer that runs may be over at any moment, as all times here: whoever looks at it finds it over or not, both are
// explored. Who waits for it finds it over.
#include "waiting.h"

int clock_gettime(int clock, long *time);
int clock_nanosleep(int clock, int flags, const void *time, void *left);
_Bool __verify_either(void);
long long __verify_any_number(void);

enum { EAGAIN = 11, SECOND = 1000000000, ABSOLUTE = 1, CANCEL_ON_SET = 2 };
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
  int again; // it is over, and runs again: it was asked for its time since
  Setting setting;
  int absolute, clock, flags;
} Timer;

static int is_zero(Time time) { return time.seconds == 0 && time.nanoseconds == 0; }

static int waits(Timer *timer) {
  return !((__verify_linked("__verify_sets_flags") ? timer->end.flags : timer->flags) & NOT_WAITING);
}

static int expire(End *end);
static int runs(Timer *timer) { return timer->state == RUNNING || timer->again; }

static long take(End *end, void *to, size_t size) {
  Timer *timer = (Timer *)end;
  if (size < 8) {
    errno = EINVAL;
    return -1;
  }
  Mutex *lock = lock_of(&timer->lock);
  pthread_mutex_lock(lock);
  if (waits(timer))
    while (timer->state == STOPPED)
      wait_cleanly(&timer->changed, lock, NULL, NULL, NULL);
  else if (timer->state == STOPPED || (timer->state == RUNNING && !__verify_either())) {
    pthread_mutex_unlock(lock);
    errno = EAGAIN;
    return -1;
  }
  // It has gone off, if nobody found that before.
  if (timer->state == RUNNING && expire(end))
    changed_under_lock(timer, READY_IN);
  uint64_t times = 1;
  Time passed = timer->setting.value;
  int absolute = timer->absolute;
  if (is_zero(timer->setting.interval))
    timer->state = STOPPED;
  else {
    // It goes off again and again, and nobody knows how often it has.
    times = ((uint64_t)__verify_any_number() >> 1) + 1;
    timer->state = RUNNING;
    timer->setting.value = timer->setting.interval;
    timer->absolute = 0;
  }
  timer->again = 0;
  changed_under_lock(timer, READY_SAME);
  pthread_mutex_unlock(lock);
  __builtin_memcpy(to, &times, 8);
  // Its time has passed.
  clock_nanosleep(timer->clock == 0 ? 0 : 1, absolute, &passed, NULL);
  return 8;
}

static long put(End *end, const void *from, size_t size) { return (void)end, (void)from, (void)size, errno = EINVAL, -1; }
static void close_timer(End *end) { (void)end; }

static int ready(End *end) {
  Timer *timer = (Timer *)end;
  return (timer->state == OVER ? READY_IN : 0) | (runs(timer) ? READY_RUNNING : 0);
}

static int expire(End *end) {
  Timer *timer = (Timer *)end;
  if (timer->state == RUNNING)
    timer->state = OVER;
  timer->again = 0;
  return timer->state == OVER;
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
  *timer = (Timer){.end = {take, put, close_timer, ready, flags & NOT_WAITING, timer, NULL, expire, 0, 0}};
  timer->clock = clock;
  timer->flags = flags & NOT_WAITING;
  return __verify_open_end(&timer->end, flags);
}

static Timer *timer_of(int descriptor) {
  int open;
  End *end = __verify_end(descriptor, &open);
  if (end && open && end->expire == expire)
    return (Timer *)end;
  errno = (end ? open : __verify_is_open(descriptor)) ? EINVAL : EBADF;
  return NULL;
}

// How long it still runs; the lock is held. By the clock of this thread no time passes unless it asks for the time.
static void describe(Timer *timer, Setting *to) {
  Time now;
  clock_gettime(timer->clock == 0 ? 0 : 1, (long *)&now);
  if (runs(timer) && __verify_either() && expire(&timer->end))
    changed_under_lock(timer, READY_IN);
  // One that goes off again and again then runs on.
  timer->again = timer->state == OVER && !is_zero(timer->setting.interval);
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
  Mutex *lock = lock_of(&timer->lock);
  pthread_mutex_lock(lock);
  if (old)
    describe(timer, &before);
  int ran = runs(timer);
  timer->state = STOPPED;
  timer->again = 0;
  if (ran)
    changed_under_lock(timer, READY_PERHAPS);
  timer->state = is_zero(setting.value) ? STOPPED : RUNNING;
  if (timer->state == STOPPED)
    setting.value = setting.interval = (Time){0, 0};
  timer->setting = setting;
  timer->absolute = flags & ABSOLUTE;
  pthread_cond_broadcast(&timer->changed);
  changed_under_lock(timer, READY_SAME);
  pthread_mutex_unlock(lock);
  if (old)
    *old = before;
  return 0;
}

int timerfd_gettime(int descriptor, Setting *to) {
  Timer *timer = timer_of(descriptor);
  if (!timer)
    return -1;
  Setting now;
  Mutex *lock = lock_of(&timer->lock);
  pthread_mutex_lock(lock);
  describe(timer, &now);
  pthread_mutex_unlock(lock);
  *to = now;
  return 0;
}
