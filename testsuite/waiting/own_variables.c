//@ verdict: safe
//@ revisions: naps naps_on naps_so helper delay table copy clears breaks kept tells which between leaks unset invalid dangles
//@[naps] cflags: -DNAPS
//@[naps_on] cflags: -DNAPS_ON
//@[naps_so] cflags: -DNAPS_SO
//@[helper] cflags: -DHELPER
//@[delay] cflags: -DDELAY
//@[table] cflags: -DTABLE
//@[copy] cflags: -DCOPY
//@[clears] cflags: -DCLEARS
//@[breaks] cflags: -DBREAKS
//@[naps naps_on naps_so helper delay table copy clears breaks] awaits: 1
//@[kept] cflags: -DKEPT
//@[tells] cflags: -DTELLS
//@[which] cflags: -DWHICH
//@[between] cflags: -DBETWEEN
//@[leaks] cflags: -DLEAKS
//@[unset] cflags: -DUNSET
//@[invalid] cflags: -DINVALID
//@[dangles] cflags: -DDANGLES
//@[kept tells which between invalid] verdict: unsafe(assertion)
//@[leaks dangles] verdict: unsafe(memory)
//@[unset] verdict: unsafe(uninitialised)
//@ cutoffs: needed
//@ source: each thread goes on when the flag is set, in one way; unless the program looks at what a turn has left
// Threads wait for a flag. In each turn they use a variable in memory that is gone when they read the flag again: a time
// for which they sleep, the counter of a delay, an array of a function that they call. Or what it held is looked at
// later, or it is not gone.
#ifdef LEAKS
#define WAITING 1
#endif
#include "flag.h"
#include <assert.h>
#include <errno.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
static int *last;
static long nap_length = 1000;

static void sleep_for(int milliseconds) {
  struct timespec time;
  time.tv_sec = milliseconds / 1000;
  time.tv_nsec = milliseconds % 1000 * 1000000L;
  nanosleep(&time, &time);
}

static unsigned pause_of(unsigned turn) {
  const unsigned pauses[4] = {1, 5, 25, 125};
  return pauses[turn % 4];
}

static int *address_of_own(void) {
  volatile int own = 1;
  return (int *)&own;
}

static void waits_for_flag(void) {
  unsigned turns = 0;
#ifdef NAPS
  while (!atomic_load(&flag)) {
    struct timespec time = {0, 1000};
    nanosleep(&time, 0);
  }
#elif defined(NAPS_ON)
  for (unsigned nap = 1; !atomic_load(&flag); nap = nap < 100 ? 2 * nap : 100) {
    struct timespec time = {.tv_nsec = nap * 1000};
    nanosleep(&time, &time);
  }
#elif defined(NAPS_SO)
  while (!atomic_load(&flag)) {
    struct timespec time;
    time.tv_sec = 0;
    time.tv_nsec = nap_length;
    nanosleep(&time, 0);
  }
#elif defined(HELPER)
  for (int nap = 1; !atomic_load(&flag); nap = nap < 100 ? 2 * nap : 100)
    sleep_for(nap);
#elif defined(DELAY)
  for (int pause = 1; !atomic_load(&flag); pause = pause < 64 ? 2 * pause : 64)
    for (volatile int i = 0; i < pause; i++)
      ;
#elif defined(TABLE)
  for (; !atomic_load(&flag); turns = (turns + 1) % 4)
    usleep(pause_of(turns));
#elif defined(COPY)
  static const struct timespec standard = {0, 500};
  while (!atomic_load(&flag)) {
    struct timespec time = standard, copy;
    memcpy(&copy, &time, sizeof copy);
    nanosleep(&copy, 0);
  }
#elif defined(CLEARS)
  while (!atomic_load(&flag)) {
    struct timespec time;
    memset(&time, 0, sizeof time);
    nanosleep(&time, 0);
  }
#elif defined(BREAKS)
  while (!atomic_load(&flag)) {
    struct timespec time = {0, 1000};
    if (nanosleep(&time, 0) != 0) break;
  }
  assert(atomic_load(&flag));
#elif defined(KEPT)
  volatile unsigned count[1] = {0};
  while (!atomic_load(&flag)) {
    volatile unsigned old = count[0];
    count[0] = old < 3 ? old + 1 : 3;
  }
  assert(count[0] < 2); //~[kept] assertion
#elif defined(TELLS)
  unsigned seen = 0;
  while (!atomic_load(&flag)) {
    volatile unsigned turn = turns < 3 ? ++turns : 3;
    seen = turn;
  }
  assert(seen < 2); //~[tells] assertion
#elif defined(WHICH)
  for (;; turns = !turns) {
    volatile unsigned odd[2] = {turns};
    if (atomic_load(&flag)) {
      assert(odd[0] == 0); //~[which] assertion
      return;
    }
  }
#elif defined(BETWEEN)
  for (;; turns = 1)
    if (atomic_load(&flag)) {
      volatile unsigned turn[1] = {turns};
      if (atomic_load(&flag)) assert(turn[0] == 0); //~[between] assertion
      return;
    }
#elif defined(LEAKS)
  last = 0;
  for (; !atomic_load(&flag); turns += turns < 3) {
    volatile int own = 1;
    if (turns == 1) last = (int *)&own;
  }
  if (last) *last = 2; //~[leaks] memory
#elif defined(UNSET)
  while (!atomic_load(&flag)) {
    struct timespec time;
    time.tv_nsec = 1000;
    nanosleep(&time, 0); //~[unset] uninitialised
  }
#elif defined(INVALID)
  while (!atomic_load(&flag)) {
    struct timespec time = {0, 1000000000};
    assert(nanosleep(&time, 0) == 0); //~[invalid] assertion
  }
#elif defined(DANGLES)
  int *dangling = 0;
  while (!atomic_load(&flag))
    dangling = address_of_own();
  if (dangling) *dangling = 2; //~[dangles] memory
#endif
}

static void *waits(void *arg) {
  waits_for_flag();
  return arg;
}
