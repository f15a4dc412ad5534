//@ revisions: polls polls_over sleeps timed hands_over over_again updates sets any
//@[updates] verdict: unsafe(assertion)
//@[updates] cflags: -DUPDATES
//@[sets] verdict: unsafe(assertion)
//@[sets] cflags: -DSETS
//@[any] verdict: unknown(is called for a time that may be any)
//@[any] cflags: -DANY
//@[polls] verdict: safe
//@[polls] cflags: -DPOLLS
//@[polls] executions: 20
//@[polls_over] verdict: unsafe(assertion)
//@[polls_over] cflags: -DPOLLS -DNEVER_OVER
//@[sleeps] verdict: safe
//@[sleeps] cflags: -DSLEEPS
//@[sleeps] executions: 1
//@[sleeps] native: run
//@[timed] verdict: safe
//@[timed] cflags: -DTIMED
//@[timed] native: run
//@[hands_over] verdict: safe
//@[hands_over] cflags: -DHANDS_OVER
//@[hands_over] executions: 2
//@[hands_over] native: run
//@[over_again] verdict: safe
//@[over_again] cflags: -DOVER_AGAIN
//@[over_again] native: run
//@[timed] executions: 1
//@[over_again] executions: 1
//@ source: own; polls: the flag is seen at one of 19 looks, or not at all; hands_over: two orders of a lock
// The clock goes on at looks, and while threads sleep or wait for a time that comes: what waits for a time ends. The
// thread that polls has looked before that. Its 20th look comes 2^20 - 2 microseconds after the first one, its 19th
// half as much. So it polls 19 times.
#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/select.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

static long long now(void) {
  struct timespec t;
  clock_gettime(CLOCK_REALTIME, &t);
  return t.tv_sec * 1000000000ll + t.tv_nsec;
}

static atomic_int ready;
static int data;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;
static long long woke;

static void *set(void *arg) {
  data = 1;
  atomic_store(&ready, 1);
  return arg;
}

static int wait_until(long long deadline) {
  while (!atomic_load(&ready)) {
    if (now() >= deadline)
      return 0;
    nanosleep(&(struct timespec){0, 1000}, 0);
  }
  return 1;
}

static void *sleep_and_look(void *arg) {
  sleep(1);
  pthread_mutex_lock(&mutex);
  woke = now();
  pthread_mutex_unlock(&mutex);
  return arg;
}

// What was acquired shows on the clock, by updates that commute otherwise, and by stores of the same value.
static void *update(void *arg) {
  sleep(1);
  atomic_fetch_add(&ready, 1);
  return arg;
}

static void *store(void *arg) {
  sleep(1);
  atomic_store(&ready, 1);
  return arg;
}

unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  pthread_t thread;
  long long began = now();
#if defined POLLS
  pthread_create(&thread, 0, set, 0);
  int seen = wait_until(began + 1000000000ll);
#ifdef NEVER_OVER
  assert(seen); //~[polls_over] assertion
#endif
  assert(!seen || data == 1);
  pthread_join(thread, 0);
#elif defined SLEEPS
  usleep(3000);
  assert(now() >= began + 3000000);
  nanosleep(&(struct timespec){0, 2000000}, 0);
  assert(now() >= began + 5000000);
  thrd_sleep(&(struct timespec){0, 1000000}, 0);
  assert(now() >= began + 6000000);
  long long until = now() + 10000000;
  clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &(struct timespec){until / 1000000000, until % 1000000000}, 0);
  assert(now() >= until);
  sleep(1);
  assert(now() >= until + 1000000000);
  poll(0, 0, 2);
  assert(now() >= until + 1002000000);
  select(0, 0, 0, 0, &(struct timeval){0, 3000});
  assert(now() >= until + 1005000000);
#elif defined TIMED
  long long until = began + 2000000;
  struct timespec time = {until / 1000000000, until % 1000000000};
  pthread_mutex_lock(&mutex);
  if (pthread_cond_timedwait(&never, &mutex, &time) == ETIMEDOUT)
    assert(now() >= until);
  pthread_mutex_unlock(&mutex);
#elif defined HANDS_OVER
  pthread_create(&thread, 0, sleep_and_look, 0);
  pthread_mutex_lock(&mutex);
  assert(woke == 0 || (woke >= began + 1000000000 && now() >= woke));
  pthread_mutex_unlock(&mutex);
  pthread_join(thread, 0);
  assert(now() >= began + 1000000000);
#elif defined UPDATES
  pthread_create(&thread, 0, update, 0);
  atomic_fetch_add(&ready, 1);
  assert(now() < began + 1000000000); //~[updates] assertion
  pthread_join(thread, 0);
#elif defined SETS
  pthread_t other;
  pthread_create(&thread, 0, store, 0);
  pthread_create(&other, 0, set, 0);
  int seen = atomic_load(&ready);
  assert(!seen || now() < began + 1000000000); //~[sets] assertion
  pthread_join(thread, 0);
  pthread_join(other, 0);
#elif defined ANY
  // How much time passes is not followed.
  usleep(__VERIFIER_nondet_uint());
#elif defined OVER_AGAIN
  // A thread that is over had its time, and so has one that gets its number.
  for (int i = 0; i < 2; i++) {
    long long before = now();
    pthread_create(&thread, 0, sleep_and_look, 0);
    pthread_join(thread, 0);
    assert(woke >= before + 1000000000 && now() >= woke);
  }
#endif
  return 0;
}
