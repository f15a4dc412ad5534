// What the system says of itself and of the process: one fixed answer, or what the program set last. A setting has no
// effect here.
#include "library.h"

// A pthread_mutex_t.
typedef struct {
  long words[6];
} Mutex;
int pthread_mutex_lock(Mutex *);
int pthread_mutex_unlock(Mutex *);
char **__verify_arguments(void);
void __verify_fixed_environment(void);

enum { EPERM = 1, ENAMETOOLONG = 36, ESRCH = 3 };
static Mutex lock;

// Limits.

#define NO_LIMIT (~0ull)
enum { STACK = 3, CORE = 4, FILES = 7, LOCKED = 8, NICE = 13, PRIORITY = 14, RESOURCES = 16 };
typedef struct {
  unsigned long long now, most;
} Limit;
typedef struct {
  unsigned long now, most;
} ShortLimit;
#define NONE {NO_LIMIT, NO_LIMIT}
static Limit limits[RESOURCES] = {
    NONE, NONE, NONE, [STACK] = {8 << 20, NO_LIMIT}, [CORE] = {0, NO_LIMIT}, NONE, NONE, [FILES] = {1024, 1048576},
    [LOCKED] = {8 << 20, 8 << 20}, NONE, NONE, NONE, NONE, [NICE] = {0, 0}, [PRIORITY] = {0, 0}, NONE,
};

static int limit(int resource, const Limit *new, Limit *old) {
  __verify_fixed_environment();
  if (resource < 0 || resource >= RESOURCES) {
    errno = EINVAL;
    return -1;
  }
  pthread_mutex_lock(&lock);
  Limit *known = &limits[resource];
  int error = !new ? 0 : new->now > new->most ? EINVAL : new->most > known->most ? EPERM : 0;
  if (!error && old)
    *old = *known;
  if (!error && new)
    *known = *new;
  pthread_mutex_unlock(&lock);
  if (error)
    errno = error;
  return error ? -1 : 0;
}

int getrlimit64(int resource, Limit *to) { return limit(resource, NULL, to); }
int setrlimit64(int resource, const Limit *to) { return limit(resource, to, NULL); }

// Where a long is short, what does not fit is no limit.
static unsigned long shortened(unsigned long long value) { return value > ~0ul ? ~0ul : (unsigned long)value; }
static unsigned long long lengthened(unsigned long value) { return value == ~0ul ? NO_LIMIT : value; }

int getrlimit(int resource, ShortLimit *to) {
  Limit found;
  int result = limit(resource, NULL, &found);
  if (result == 0)
    *to = (ShortLimit){shortened(found.now), shortened(found.most)};
  return result;
}

int setrlimit(int resource, const ShortLimit *to) {
  Limit wanted = {lengthened(to->now), lengthened(to->most)};
  return limit(resource, &wanted, NULL);
}

int prlimit64(int process, int resource, const Limit *new, Limit *old) {
  if (process && process != 4242) {
    errno = ESRCH;
    return -1;
  }
  return limit(resource, new, old);
}
#ifdef __LP64__
int prlimit(int process, int resource, const Limit *new, Limit *old) { return prlimit64(process, resource, new, old); }
#endif

int getdtablesize(void) {
  Limit found;
  limit(FILES, NULL, &found);
  return (int)found.now;
}

unsigned umask(unsigned new) {
  static unsigned mask = 022;
  __verify_fixed_environment();
  pthread_mutex_lock(&lock);
  unsigned old = mask;
  mask = new & 0777;
  pthread_mutex_unlock(&lock);
  return old;
}

// Names.

char *program_invocation_name, *program_invocation_short_name;
extern char *__progname_full EXPORT_AS("program_invocation_name");
extern char *__progname EXPORT_AS("program_invocation_short_name");

__attribute__((constructor(101))) static void begin(void) {
  program_invocation_name = __verify_arguments()[0];
  char *base = strrchr(program_invocation_name, '/');
  program_invocation_short_name = base ? base + 1 : program_invocation_name;
}

// The name of the thread. One that has not set it has that of its creator, which is not known here.
enum { NAME = 16 };
static _Thread_local char name[NAME];
static _Thread_local int named;
static _Atomic int some_are_named;

int prctl(int option, ...) {
  enum { DEATH_SIGNAL = 1, GET_DUMPABLE = 3, SET_DUMPABLE = 4, GET_KEEP = 7, SET_KEEP = 8, SET_NAME = 15, GET_NAME = 16,
         SET_SLACK = 29, SET_PRIVILEGES = 38, GET_PRIVILEGES = 39, SET_REAPER = 36, SET_HUGE = 41, SET_ANYONE = 0x59616d61,
         SET_AREA_NAME = 0x53564d41 };
  va_list rest;
  va_start(rest, option);
  char *text = option == SET_NAME || option == GET_NAME ? va_arg(rest, char *) : NULL;
  va_end(rest);
  __verify_fixed_environment();
  switch (option) {
  case SET_NAME:
    __builtin_memset(name, 0, NAME);
    for (int i = 0; i < NAME - 1 && text[i]; i++)
      name[i] = text[i];
    named = some_are_named = 1;
    return 0;
  case GET_NAME: {
    if (!named && some_are_named)
      __verify_not_modelled("prctl(PR_GET_NAME) by a thread that has not set its name in a program where another one has");
    const char *own = named ? name : strrchr(__verify_arguments()[0], '/');
    own = !own ? __verify_arguments()[0] : *own == '/' ? own + 1 : own;
    __builtin_memset(text, 0, NAME);
    for (int i = 0; i < NAME - 1 && own[i]; i++)
      text[i] = own[i];
    return 0;
  }
  case GET_DUMPABLE:
    return 1;
  case GET_KEEP:
  case GET_PRIVILEGES:
  case DEATH_SIGNAL:
  case SET_DUMPABLE:
  case SET_KEEP:
  case SET_SLACK:
  case SET_PRIVILEGES:
  case SET_REAPER:
  case SET_HUGE:
  case SET_ANYONE:
  case SET_AREA_NAME:
    return 0;
  }
  __verify_not_modelled("prctl with an option other than names and what concerns other processes");
  return -1;
}

// The system.

const char *gnu_get_libc_version(void) { return __verify_fixed_environment(), "2.36"; }
const char *gnu_get_libc_release(void) { return __verify_fixed_environment(), "stable"; }

static void put(char *to, const char *text) {
  for (; (*to = *text); to++, text++)
    ;
}

typedef struct {
  char system[65], node[65], release[65], version[65], machine[65], domain[65];
} Names;
int uname(Names *names) {
  __verify_fixed_environment();
  put(names->system, "Linux");
  put(names->node, "localhost");
  put(names->release, "6.1.0");
  put(names->version, "#1 SMP");
  put(names->machine, "x86_64");
  put(names->domain, "(none)");
  return 0;
}

int gethostname(char *to, size_t room) {
  static const char own[] = "localhost";
  __verify_fixed_environment();
  if (room < sizeof own) {
    errno = ENAMETOOLONG;
    return -1;
  }
  put(to, own);
  return 0;
}

long get_phys_pages(void) { return __verify_fixed_environment(), 1l << 20; }
long get_avphys_pages(void) { return __verify_fixed_environment(), 1l << 19; }

unsigned long getauxval(unsigned long type) {
  enum { PAGE = 6, CLOCK = 17, SECURE = 23 };
  __verify_fixed_environment();
  switch (type) {
  case PAGE:
    return 4096;
  case CLOCK:
    return 100;
  case SECURE:
    return 0;
  }
  errno = ENOENT;
  return 0;
}

// Scheduling: every schedule is explored, whatever is set.

enum { OTHER, FIRST_IN_FIRST_OUT, ROUND_ROBIN, BATCH, IDLE = 5 };
static int priority(int policy, int real_time) {
  if (policy == FIRST_IN_FIRST_OUT || policy == ROUND_ROBIN)
    return real_time;
  if (policy == OTHER || policy == BATCH || policy == IDLE)
    return 0;
  errno = EINVAL;
  return -1;
}
int sched_get_priority_max(int policy) { return priority(policy, 99); }
int sched_get_priority_min(int policy) { return priority(policy, 1); }
int sched_getscheduler(int process) { return (void)process, __verify_fixed_environment(), OTHER; }
int sched_getparam(int process, int *to) { return (void)process, __verify_fixed_environment(), *to = 0; }
int getpriority(int which, unsigned who) { return (void)which, (void)who, __verify_fixed_environment(), 0; }

enum { PROCESSORS = 4 };
static void processors(size_t size, unsigned char *set) {
  __verify_fixed_environment();
  __builtin_memset(set, 0, size);
  set[0] = (1 << PROCESSORS) - 1;
}
int sched_getaffinity(int process, size_t size, unsigned char *set) {
  (void)process;
  if (size < sizeof(long)) {
    errno = EINVAL;
    return -1;
  }
  return processors(size, set), 0;
}
int __sched_cpucount(size_t size, const unsigned char *set) {
  int count = 0;
  for (size_t i = 0; i < size; i++)
    count += __builtin_popcount(set[i]);
  return count;
}
int pthread_getaffinity_np(unsigned long thread, size_t size, unsigned char *set) {
  (void)thread;
  return size < sizeof(long) ? EINVAL : (processors(size, set), 0);
}
