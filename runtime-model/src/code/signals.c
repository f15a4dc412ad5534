// Signals: what is asked for is kept, but none arrives from outside. One that a thread raises for itself is handled at once.
#include "library.h"

#define SIGNALS 65
typedef void Handler(int);
#define DEFAULT ((Handler *)0)
#define IGNORE ((Handler *)1)

typedef struct {
  unsigned long words[128 / sizeof(long)];
} Set;
struct sigaction {
  Handler *handler;
  Set mask;
  int flags;
  void (*restorer)(void);
};
// A pthread_mutex_t.
typedef struct {
  long words[6];
} Mutex;
int pthread_mutex_lock(Mutex *);
int pthread_mutex_unlock(Mutex *);
_Noreturn void abort(void);
void __verify_assume_no_signals(void);

static struct sigaction actions[SIGNALS];
static Mutex lock;
static _Thread_local Set mask;
static _Atomic int masked;

static int valid(int signal) {
  if (signal > 0 && signal < SIGNALS)
    return 1;
  errno = EINVAL;
  return 0;
}

int sigaction(int signal, const struct sigaction *new, struct sigaction *old) {
  if (!valid(signal))
    return -1;
  if (new && new->handler != DEFAULT && new->handler != IGNORE)
    __verify_assume_no_signals();
  pthread_mutex_lock(&lock);
  if (old)
    *old = actions[signal];
  if (new)
    actions[signal] = *new;
  pthread_mutex_unlock(&lock);
  return 0;
}

Handler *signal(int number, Handler *handler) {
  struct sigaction new = {.handler = handler, .flags = 0x10000000}, old;
  return sigaction(number, &new, &old) < 0 ? (Handler *)-1 : old.handler;
}
Handler *__sysv_signal(int number, Handler *handler) { return signal(number, handler); }
Handler *bsd_signal(int number, Handler *handler) { return signal(number, handler); }

int raise(int number) {
  if (!valid(number))
    return -1;
  struct sigaction action;
  sigaction(number, NULL, &action);
  if (masked)
    __verify_not_modelled("raise in a program that blocks signals");
  if (action.handler == IGNORE)
    return 0;
  if (action.handler == DEFAULT) {
    if (number == 6)
      abort();
    __verify_not_modelled("the default action of a signal");
  }
  if (action.flags & 4)
    __verify_not_modelled("a handler of a signal that wants more than its number");
  action.handler(number);
  return 0;
}

int sigemptyset(Set *set) { return *set = (Set){0}, 0; }
int sigfillset(Set *set) {
  for (size_t i = 0; i < sizeof set->words / sizeof *set->words; i++)
    set->words[i] = ~0ul;
  return 0;
}
static unsigned long *word(Set *set, int number) { return &set->words[(unsigned)(number - 1) / (8 * sizeof(long))]; }
static unsigned long bit(int number) { return 1ul << (unsigned)(number - 1) % (8 * sizeof(long)); }
int sigaddset(Set *set, int number) { return valid(number) ? *word(set, number) |= bit(number), 0 : -1; }
int sigdelset(Set *set, int number) { return valid(number) ? *word(set, number) &= ~bit(number), 0 : -1; }
int sigismember(const Set *set, int number) { return valid(number) ? (*word((Set *)set, number) & bit(number)) != 0 : -1; }

int pthread_sigmask(int how, const Set *new, Set *old) {
  if (old) {
    // A thread begins with the mask of its creator, which is not known here.
    if (masked)
      __verify_not_modelled("the signal mask in a program that changes it");
    *old = mask;
  }
  if (!new)
    return 0;
  if (how < 0 || how > 2)
    return EINVAL;
  for (size_t i = 0; i < sizeof mask.words / sizeof *mask.words; i++)
    mask.words[i] = how == 0 ? mask.words[i] | new->words[i] : how == 1 ? mask.words[i] & ~new->words[i] : new->words[i];
  masked = 1;
  return 0;
}
int sigprocmask(int how, const Set *new, Set *old) {
  int error = pthread_sigmask(how, new, old);
  if (error)
    errno = error;
  return error ? -1 : 0;
}
