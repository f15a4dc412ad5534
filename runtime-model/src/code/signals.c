// Signals: what is asked for is kept, but none arrives from outside. One that a thread raises for itself is handled at
// once, or when it is not blocked any more. One that another thread sends, or that is sent to the process, is taken by
// sigwait or sigsuspend, and is blocked until then.
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
int pthread_cond_wait(void *, Mutex *);
int pthread_cond_broadcast(void *);
unsigned long pthread_self(void);
_Noreturn void abort(void);
int getpid(void);
void __verify_assume_no_signals(void);
// Whether no second thread was ever created.
int __verify_alone(void);
// Whether there is such a thread, or was, and nobody has waited for its end.
int __verify_is_thread(unsigned long);

static struct sigaction actions[SIGNALS];
static Mutex lock;
static _Thread_local Set mask, pending;
static _Thread_local int known;
// What the first thread blocked when it created the second one; and whether any thread has changed its mask since.
static Set common;
static _Atomic int changed;

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

// Which signals a thread blocks is known of the first one, of one that has said so for all, and of all as long as no
// thread has changed anything while there were several: a thread begins with what its creator blocks.
static int knows_mask(void) {
  if (!known && (pthread_self() == 1 || !changed)) {
    if (pthread_self() != 1)
      mask = common;
    known = 1;
  }
  return known;
}

// A signal that is not blocked.
static int deliver(int number) {
  struct sigaction action;
  sigaction(number, NULL, &action);
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

int raise(int number) {
  if (!valid(number))
    return -1;
  if (!knows_mask())
    __verify_not_modelled("raise by a thread that may have begun with blocked signals");
  if (*word(&mask, number) & bit(number))
    return *word(&pending, number) |= bit(number), 0;
  return deliver(number);
}

// Signals that were sent and not taken: to threads, by their numbers, and to the process; and what threads wait for.
enum { THREADS = 65 };
static Mutex sending;
static struct {
  long words[6];
} arrived;
static Set sent[THREADS], sent_to_process, awaited[THREADS];

static int first_of(const Set *one, const Set *other) {
  for (int number = 1; number < SIGNALS; number++)
    if (*word((Set *)one, number) & *word((Set *)other, number) & bit(number))
      return number;
  return 0;
}

// That this is a part of the program says that threads send signals.
char __verify_sends_signals = 1;
void *__verify_linked(const char *name);
static int somebody_sends(void) { return __verify_linked("__verify_sends_signals") != NULL; }

static unsigned long numbered_self(void) {
  unsigned long self = pthread_self();
  if (self >= THREADS)
    __verify_not_modelled("a signal for a thread above number 64");
  return self;
}

int sigpending(Set *to) {
  *to = pending;
  if (somebody_sends()) {
    unsigned long self = numbered_self();
    pthread_mutex_lock(&sending);
    for (size_t i = 0; i < sizeof to->words / sizeof *to->words; i++)
      to->words[i] |= sent[self].words[i] | sent_to_process.words[i];
    pthread_mutex_unlock(&sending);
  }
  return 0;
}

static void remove_from(Set *from, int number) { *word(from, number) &= ~bit(number); }

// Takes the first of the wanted signals that has been sent to this thread, or else to the process. `sending` is held.
static int take(unsigned long self, const Set *wanted) {
  int raised = first_of(&pending, wanted), number = first_of(&sent[self], wanted);
  if (raised && (!number || raised <= number)) {
    remove_from(&pending, raised);
    if (raised == number)
      remove_from(&sent[self], number);
    return raised;
  }
  if (number)
    remove_from(&sent[self], number);
  else if ((number = first_of(&sent_to_process, wanted)))
    remove_from(&sent_to_process, number);
  return number;
}

static int wait_for(const Set *wanted) {
  int number;
  if (!somebody_sends()) {
    // A signal from outside may come, and may not.
    if (!(number = first_of(&pending, wanted)))
      __verify_not_modelled("sigwait or sigsuspend for a signal that no thread sends");
    remove_from(&pending, number);
    return number;
  }
  unsigned long self = numbered_self();
  pthread_mutex_lock(&sending);
  awaited[self] = *wanted;
  while (!(number = take(self, wanted)))
    pthread_cond_wait(&arrived, &sending);
  awaited[self] = (Set){0};
  pthread_mutex_unlock(&sending);
  return number;
}

int sigwait(const Set *wanted, int *number) {
  pthread_testcancel();
  __verify_assume_no_signals();
  *number = wait_for(wanted);
  return 0;
}

int sigsuspend(const Set *blocked) {
  pthread_testcancel();
  __verify_assume_no_signals();
  Set wanted;
  for (size_t i = 0; i < sizeof wanted.words / sizeof *wanted.words; i++)
    wanted.words[i] = ~blocked->words[i];
  int number = wait_for(&wanted);
  struct sigaction action;
  sigaction(number, NULL, &action);
  if (action.handler == IGNORE)
    __verify_not_modelled("sigsuspend when a signal comes that is ignored");
  // The handler runs with the mask that is given here, and its own.
  Set before = mask;
  int was_known = known;
  for (size_t i = 0; i < sizeof mask.words / sizeof *mask.words; i++)
    mask.words[i] = blocked->words[i] | action.mask.words[i];
  *word(&mask, number) |= bit(number);
  known = 1;
  deliver(number);
  mask = before;
  known = was_known;
  unsigned long self = pthread_self();
  int more = first_of(&pending, &wanted) != 0;
  for (size_t i = 0; i < sizeof mask.words / sizeof *mask.words; i++)
    more |= (pending.words[i] & ~mask.words[i]) != 0;
  if (somebody_sends()) {
    pthread_mutex_lock(&sending);
    more |= first_of(&sent[self], &wanted) || first_of(&sent_to_process, &wanted);
    pthread_mutex_unlock(&sending);
  }
  if (more)
    __verify_not_modelled("sigsuspend when two signals come");
  errno = 4; // EINTR
  return -1;
}

// Such a signal that is sent twice comes twice.
static void send_to(Set *to, int number) {
  if (number >= 32 && *word(to, number) & bit(number))
    __verify_not_modelled("a real-time signal that is sent twice");
  *word(to, number) |= bit(number);
}

// Whether all threads block this signal. `sending` is held.
static int all_block(int number) { return !changed && *word(&common, number) & bit(number); }

int pthread_kill(unsigned long thread, int number) {
  if (number == 0)
    return 0;
  if (!valid(number) || !__verify_sends_signals)
    return EINVAL;
  if (thread == pthread_self())
    return raise(number);
  pthread_mutex_lock(&sending);
  if (thread >= THREADS || !__verify_is_thread(thread) ||
      !(*word(&awaited[thread], number) & bit(number) || all_block(number)))
    __verify_not_modelled("pthread_kill to a thread that neither waits for the signal nor is known to block it");
  send_to(&sent[thread], number);
  pthread_cond_broadcast(&arrived);
  pthread_mutex_unlock(&sending);
  return 0;
}

int kill(int process, int number) {
  if (process != getpid())
    __verify_not_modelled("a signal for another process");
  if (number == 0)
    return 0;
  if (!valid(number) || !__verify_sends_signals)
    return -1;
  int alone = __verify_alone();
  if (alone && !(*word(&mask, number) & bit(number)))
    return deliver(number);
  pthread_mutex_lock(&sending);
  if (!alone && !all_block(number))
    __verify_not_modelled("kill with a signal that not all threads are known to block");
  send_to(&sent_to_process, number);
  pthread_cond_broadcast(&arrived);
  pthread_mutex_unlock(&sending);
  return 0;
}

// Threads need not block the same from now on. What one has been sent must not be handled behind its back.
static void change(const Set *before) {
  if (__verify_alone()) {
    common = mask;
    for (int number = 1; number < SIGNALS; number++)
      if (*word(&sent_to_process, number) & ~*word(&mask, number) & bit(number)) {
        remove_from(&sent_to_process, number);
        *word(&pending, number) |= bit(number);
      }
    return;
  }
  int same = known;
  for (size_t i = 0; i < sizeof mask.words / sizeof *mask.words; i++)
    same &= mask.words[i] == before->words[i];
  if (same)
    return;
  if (!somebody_sends()) {
    changed = 1;
    return;
  }
  unsigned long self = numbered_self();
  pthread_mutex_lock(&sending);
  changed = 1;
  for (int number = 1; number < SIGNALS; number++)
    if ((*word(&sent[self], number) | *word(&sent_to_process, number)) & ~*word(&mask, number) & bit(number))
      __verify_not_modelled("the end of blocking a signal that another thread has sent");
  pthread_mutex_unlock(&sending);
}

int pthread_sigmask(int how, const Set *new, Set *old) {
  int was_known = knows_mask();
  Set before = mask;
  if (old) {
    if (!was_known)
      __verify_not_modelled("the signal mask of a thread that may have begun with blocked signals");
    *old = mask;
  }
  if (!new)
    return 0;
  if (how < 0 || how > 2)
    return EINVAL;
  for (size_t i = 0; i < sizeof mask.words / sizeof *mask.words; i++)
    mask.words[i] = how == 0 ? mask.words[i] | new->words[i] : how == 1 ? mask.words[i] & ~new->words[i] : new->words[i];
  // These cannot be blocked.
  *word(&mask, 9) &= ~bit(9);
  *word(&mask, 19) &= ~bit(19);
  change(&before);
  known |= how == 2;
  for (int number = 1; number < SIGNALS; number++)
    if (*word(&pending, number) & ~*word(&mask, number) & bit(number)) {
      *word(&pending, number) &= ~bit(number);
      deliver(number);
    }
  return 0;
}
int sigprocmask(int how, const Set *new, Set *old) {
  int error = pthread_sigmask(how, new, old);
  if (error)
    errno = error;
  return error ? -1 : 0;
}
