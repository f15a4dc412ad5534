// What programs in C++ need of their runtime and of libstdc++, under the names that the compiler gives these functions.
#include "library.h"

#if __SIZEOF_POINTER__ == 8
#define SIZED(before, after) before##m##after // size_t is unsigned long
#else
#define SIZED(before, after) before##j##after // size_t is unsigned int
#endif

void *aligned_alloc(size_t, size_t);
_Noreturn void abort(void);

// new and delete. Memory does not run out (that would be an exception).
#define NEW(name) void *name(size_t size) { return malloc(size); }
#define NEW_OR_NULL(name) void *name(size_t size, void *tag) { return (void)tag, malloc(size); }
#define NEW_ALIGNED(name) void *name(size_t size, size_t align) { return aligned_alloc(align, size); }
#define NEW_ALIGNED_OR_NULL(name) \
  void *name(size_t size, size_t align, void *tag) { return (void)tag, aligned_alloc(align, size); }
NEW(SIZED(_Znw, ))
NEW(SIZED(_Zna, ))
NEW_OR_NULL(SIZED(_Znw, RKSt9nothrow_t))
NEW_OR_NULL(SIZED(_Zna, RKSt9nothrow_t))
NEW_ALIGNED(SIZED(_Znw, St11align_val_t))
NEW_ALIGNED(SIZED(_Zna, St11align_val_t))
NEW_ALIGNED_OR_NULL(SIZED(_Znw, St11align_val_tRKSt9nothrow_t))
NEW_ALIGNED_OR_NULL(SIZED(_Zna, St11align_val_tRKSt9nothrow_t))

// Size, alignment and tag are of no use to free.
#define DELETE(name) void name(void *object) { free(object); }
DELETE(_ZdlPv)
DELETE(_ZdaPv)
DELETE(SIZED(_ZdlPv, ))
DELETE(SIZED(_ZdaPv, ))
DELETE(_ZdlPvRKSt9nothrow_t)
DELETE(_ZdaPvRKSt9nothrow_t)
DELETE(_ZdlPvSt11align_val_t)
DELETE(_ZdaPvSt11align_val_t)
DELETE(SIZED(_ZdlPv, St11align_val_t))
DELETE(SIZED(_ZdaPv, St11align_val_t))

// std::allocator of characters, whose members libstdc++ keeps to itself.
#define NOTHING(name) void name(void *self) { (void)self; }
#define NOTHING_OF(name) void name(void *self, const void *other) { (void)self, (void)other; }
NOTHING(_ZNSaIcEC1Ev)
NOTHING(_ZNSaIcEC2Ev)
NOTHING_OF(_ZNSaIcEC1ERKS_)
NOTHING_OF(_ZNSaIcEC2ERKS_)
NOTHING(_ZNSaIcED1Ev)
NOTHING(_ZNSaIcED2Ev)
NOTHING(_ZNSaIwEC1Ev)
NOTHING(_ZNSaIwEC2Ev)
NOTHING(_ZNSaIwED1Ev)
NOTHING(_ZNSaIwED2Ev)
const char _ZSt7nothrow = 0;
// Atomic counts of references are atomic in any case.
const char __libc_single_threaded = 0;

// A variable that is initialised at its first use. Its guard's first byte says that this has happened; the other bytes
// hold the address of a lock, which the thread that initialises the variable holds meanwhile. The last byte of this
// address is 0.
typedef struct {
  long words[6];
} Mutex;
int pthread_mutex_lock(Mutex *);
int pthread_mutex_unlock(Mutex *);
typedef _Atomic(uint64_t) Guard;

static Mutex *lock_of(Guard *guard) { return (Mutex *)(uintptr_t)(*guard & ~0xffull); }

static void open(Guard *guard, uint64_t done) {
  Mutex *lock = lock_of(guard);
  if (done)
    *(_Atomic(unsigned char) *)guard = 1;
  pthread_mutex_unlock(lock);
}

int __cxa_guard_acquire(Guard *guard) {
  if (*guard == 0) {
    // An error-checking one: a thread that comes back to it while initialising does not deadlock but is stopped.
    Mutex *lock = aligned_alloc(256, 256);
    *lock = (Mutex){{0}};
    lock->words[sizeof(long) == 8 ? 2 : 3] = 2;
    uint64_t expected = 0;
    if (!__c11_atomic_compare_exchange_strong(guard, &expected, (uintptr_t)lock, __ATOMIC_SEQ_CST,
                                              __ATOMIC_SEQ_CST))
      free(lock);
  }
  if (pthread_mutex_lock(lock_of(guard)) != 0)
    abort();
  if ((*guard & 0xff) == 0)
    return 1;
  open(guard, 0);
  return 0;
}
void __cxa_guard_release(Guard *guard) { open(guard, 1); }
void __cxa_guard_abort(Guard *guard) { open(guard, 0); }

// std::thread. Its state has virtual functions: two destructors, of which the second one frees, and what the thread
// does.
typedef struct State {
  void (**functions)(struct State *);
} State;
int pthread_create(unsigned long *, const void *, void *(*)(void *), void *);
int pthread_join(unsigned long, void **);
int pthread_detach(unsigned long);
void _ZSt20__throw_system_errori(int);

// What the thread runs is shown as `std::thread`.
static void *_ZSt6thread(void *state_of_thread) {
  State *state = state_of_thread;
  state->functions[2](state);
  state->functions[1](state);
  return NULL;
}

void _ZNSt6thread15_M_start_threadESt10unique_ptrINS_6_StateESt14default_deleteIS1_EEPFvvE(unsigned long *id, State **state,
                                                                                           void (*unused)(void)) {
  (void)unused;
  State *mine = *state;
  *state = NULL;
  int error = pthread_create(id, NULL, _ZSt6thread, mine);
  if (error)
    _ZSt20__throw_system_errori(error);
}
void _ZNSt6thread4joinEv(unsigned long *id) {
  int error = *id ? pthread_join(*id, NULL) : EINVAL;
  if (error)
    _ZSt20__throw_system_errori(error);
  *id = 0;
}
void _ZNSt6thread6detachEv(unsigned long *id) {
  int error = *id ? pthread_detach(*id) : EINVAL;
  if (error)
    _ZSt20__throw_system_errori(error);
  *id = 0;
}
NOTHING(_ZNSt6thread6_StateD0Ev)
NOTHING(_ZNSt6thread6_StateD1Ev)
NOTHING(_ZNSt6thread6_StateD2Ev)
int get_nprocs(void);
unsigned _ZNSt6thread20hardware_concurrencyEv(void) { return (unsigned)get_nprocs(); }
// this_thread::sleep_for; every schedule is explored anyway.
void _ZNSt11this_thread11__sleep_forENSt6chrono8durationIlSt5ratioILl1ELl1EEEENS1_IlS2_ILl1ELl1000000000EEEE(long s, long ns) {
  (void)s, (void)ns;
}

// std::condition_variable, which begins with what pthreads has.
typedef struct {
  long words[12];
} Condition;
int pthread_cond_wait(Condition *, Mutex *);
int pthread_cond_signal(Condition *);
int pthread_cond_broadcast(Condition *);
int pthread_cond_destroy(Condition *);

static void begin(Condition *self) { __builtin_memset(self, 0, 48); }
void _ZNSt18condition_variableC1Ev(Condition *self) { begin(self); }
void _ZNSt18condition_variableC2Ev(Condition *self) { begin(self); }
void _ZNSt18condition_variableD1Ev(Condition *self) { pthread_cond_destroy(self); }
void _ZNSt18condition_variableD2Ev(Condition *self) { pthread_cond_destroy(self); }
void _ZNSt18condition_variable10notify_oneEv(Condition *self) { pthread_cond_signal(self); }
void _ZNSt18condition_variable10notify_allEv(Condition *self) { pthread_cond_broadcast(self); }
// A unique_lock begins with a pointer to its mutex.
void _ZNSt18condition_variable4waitERSt11unique_lockISt5mutexE(Condition *self, Mutex **lock) {
  pthread_cond_wait(self, *lock);
}

// std::call_once hands over what to call like this.
_Thread_local void *_ZSt15__once_callable;
_Thread_local void (*_ZSt11__once_call)(void);
void __once_proxy(void) { _ZSt11__once_call(); }

// Clocks in nanoseconds.
struct timespec {
  long seconds, nanoseconds;
};
int clock_gettime(int, struct timespec *);
static long long now(int clock) {
  struct timespec time;
  clock_gettime(clock, &time);
  return time.seconds * 1000000000ll + time.nanoseconds;
}
long long _ZNSt6chrono3_V212steady_clock3nowEv(void) { return now(1); }
long long _ZNSt6chrono3_V212system_clock3nowEv(void) { return now(0); }

// std::list: the nodes of a ring.
typedef struct Node {
  struct Node *next, *previous;
} Node;
void _ZNSt8__detail15_List_node_base7_M_hookEPS0_(Node *self, Node *before) {
  self->next = before;
  self->previous = before->previous;
  before->previous->next = self;
  before->previous = self;
}
void _ZNSt8__detail15_List_node_base9_M_unhookEv(Node *self) {
  self->next->previous = self->previous;
  self->previous->next = self->next;
}
