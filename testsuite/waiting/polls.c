//@ verdict: safe
//@ revisions: n1 n2 n3 pauses takes c11 looks writes alternates tried unprotected unordered
//@[n1] cflags: -DN=1
//@[n1 pauses takes c11] in-vain: 1
//@[n2] cflags: -DN=2
//@[n2] in-vain: 3
//@[n3] cflags: -DN=3
//@[n3] in-vain: 7
//@[pauses] cflags: -DN=1 -DPAUSES
//@[takes] cflags: -DN=1 -DTAKES
//@[c11] cflags: -DN=1 -DC11
//@[n1 n2 n3 pauses takes c11] awaits: 1
//@[looks] cflags: -DN=1 -DLOOKS
//@[writes] cflags: -DN=1 -DWRITES
//@[alternates] cflags: -DN=1 -DALTERNATES
//@[tried] cflags: -DN=1 -DTRIED
//@[looks writes alternates tried] verdict: unsafe(assertion)
//@[unprotected] cflags: -DN=1 -DUNPROTECTED
//@[unordered] cflags: -DN=1 -DUNORDERED
//@[unprotected unordered] verdict: unsafe(data-race)
//@[pauses] states: no
//@ cutoffs: needed
//@ source: each thread goes on when `done` is set, in one way; any of them may have looked before that, in vain
// Threads lock a mutex, look, and unlock it again and again. Nobody notices a turn in vain; or the thread itself does,
// by a number, by what it writes or because it looks elsewhere in the next turn, or another one does, which finds the mutex locked. Or what only turns in vain read is
// written without the mutex, at once, or after the thread has gone on and told so by an access that orders nothing.
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <unistd.h>
#ifdef C11
#include <threads.h>
#define LOCK mtx_lock
#define UNLOCK mtx_unlock
static mtx_t m;
#else
#define LOCK pthread_mutex_lock
#define UNLOCK pthread_mutex_unlock
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
#endif
static int done, data, other, polls;
static atomic_int gone, busy;

static int is_done(void) {
  LOCK(&m);
  int result = done;
#ifdef WRITES
  if (polls < 3) polls++;
#endif
#if defined(UNPROTECTED) || defined(UNORDERED)
  if (!result && other) polls = 1; //~[unprotected unordered] data-race
#endif
  UNLOCK(&m);
  return result;
}

static int take(int *value) {
  LOCK(&m);
  int result = done;
  if (result) *value = data;
  UNLOCK(&m);
  return result;
}

static void *waits(void *arg) {
#ifdef PAUSES
  int turns = 0;
  for (unsigned pause = 1; !is_done(); turns++) {
    usleep(pause);
    if (pause < 500) pause *= 2;
  }
#elif defined(TAKES)
  for (;;) {
    int value;
    if (take(&value)) {
      assert(value == 42);
      break;
    }
    usleep(100);
  }
#elif defined(ALTERNATES)
  int which = 0, found = 0;
  for (; !found; which ^= 1) {
    LOCK(&m);
    found = *(which ? &other : &done);
    UNLOCK(&m);
  }
  assert(!found); //~[alternates] assertion
#elif defined(LOOKS)
  int turns = 0;
  while (!is_done())
    if (turns < 3) turns++;
  assert(turns != 2); //~[looks] assertion
#else
  while (!is_done())
    sched_yield();
#endif
#ifdef WRITES
  assert(polls != 3); //~[writes] assertion
#endif
#ifdef TRIED
  assert(!busy); //~[tried] assertion
#elif defined(UNORDERED)
  atomic_store_explicit(&gone, 1, memory_order_relaxed);
#endif
  assert(data == 42);
  return 0;
}

static void *follows(void *arg) {
  if (atomic_load_explicit(&gone, memory_order_relaxed)) other = 1; //~[unordered] data-race
  return 0;
}

int main(void) {
#ifdef C11
  mtx_init(&m, mtx_plain);
#endif
  pthread_t threads[N];
  for (int i = 0; i < N; i++)
    pthread_create(&threads[i], 0, waits, 0);
#ifdef UNORDERED
  pthread_t last;
  pthread_create(&last, 0, follows, 0);
#endif
#ifdef TRIED
  if (pthread_mutex_trylock(&m))
    busy = 1;
  else
    pthread_mutex_unlock(&m);
#endif
#ifdef UNPROTECTED
  other = 1; //~[unprotected] data-race
#endif
  LOCK(&m);
  data = 42;
#ifdef ALTERNATES
  other = 1;
#else
  done = 1;
#endif
  UNLOCK(&m);
  for (int i = 0; i < N; i++)
    pthread_join(threads[i], 0);
#ifdef UNORDERED
  pthread_join(last, 0);
#endif
  return 0;
}
