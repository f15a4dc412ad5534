//@ verdict: safe
//@ revisions: naps turns counts fills function longer both kept behind seldom half pointer either between jumps
//@[naps] cflags: -DNAPS
//@[turns] cflags: -DTURNS
//@[longer] cflags: -DLONGER
//@[counts] cflags: -DCOUNTS
//@[fills] cflags: -DFILLS
//@[both] cflags: -DBOTH
//@[function] cflags: -DFUNCTION
//@[naps turns counts fills function] awaits: 1
//@[kept] cflags: -DKEPT
//@[behind] cflags: -DBEHIND
//@[seldom] cflags: -DSELDOM
//@[half] cflags: -DHALF
//@[pointer] cflags: -DPOINTER
//@[either] cflags: -DEITHER
//@[between] cflags: -DBETWEEN
//@[jumps] cflags: -DJUMPS
//@[kept behind seldom half pointer either between jumps] verdict: unsafe(assertion)
//@ cutoffs: needed
//@ source: each thread goes on when the flag is set, in one way; unless the program looks at what a turn has left
// Threads wait for a flag. In each turn they use a variable that is there when they read the flag again. It is written
// before it is read then, so that nobody looks at what a turn has left; or somebody does, or each turn leaves something
// else.
#include "flag.h"
#include <assert.h>
#include <setjmp.h>
#include <string.h>
#include <time.h>

static int is_set(void) { return atomic_load(&flag); }

static void waits_for_flag(void) {
  struct timespec time, other;
  volatile int count[2];
  (void)&time, (void)&other, (void)&count;
#ifdef NAPS
  while (!atomic_load(&flag)) {
    time.tv_sec = 0;
    time.tv_nsec = 1000;
    nanosleep(&time, 0);
  }
#elif defined(TURNS)
  for (unsigned turns = 0; !atomic_load(&flag); turns = (turns + 1) % 4) {
    time.tv_sec = 0;
    time.tv_nsec = 1000;
    nanosleep(&time, &time);
  }
#elif defined(LONGER)
  for (long nap = 1; !atomic_load(&flag); nap = nap < 100 ? 2 * nap : 100) {
    time.tv_sec = nap / 50;
    time.tv_nsec = nap * 1000;
    nanosleep(&time, &time);
  }
#elif defined(COUNTS)
  while (!atomic_load(&flag))
    for (count[0] = 0; count[0] < 3; count[0]++)
      count[1] = count[0];
#elif defined(FILLS)
  while (!atomic_load(&flag)) {
    memset(&time, 0, sizeof time);
    nanosleep(&time, 0);
  }
#elif defined(BOTH)
  for (int turns = 0; !atomic_load(&flag); turns = !turns) {
    struct timespec *used = &time;
    if (turns) {
      other.tv_sec = 0;
      other.tv_nsec = 5;
      nanosleep(&other, 0);
    }
    used->tv_nsec = used->tv_sec = 0;
    nanosleep(used, 0);
  }
#elif defined(FUNCTION)
  while (!is_set()) {
    time.tv_nsec = time.tv_sec = 1;
    nanosleep(&time, 0);
  }
#elif defined(KEPT)
  count[0] = 0;
  while (!atomic_load(&flag))
    count[0] = count[0] < 3 ? count[0] + 1 : 3;
  assert(count[0] < 2); //~[kept] assertion
#elif defined(BEHIND)
  time.tv_nsec = 0;
  while (!atomic_load(&flag))
    time.tv_nsec = 7;
  assert(time.tv_nsec == 0); //~[behind] assertion
#elif defined(SELDOM)
  count[0] = 0;
  for (int turns = 0; !atomic_load(&flag); turns += turns < 3) {
    if (turns == 2) assert(count[0] == 0); //~[seldom] assertion
    count[0] = turns;
  }
#elif defined(HALF)
  memset(&time, 0, sizeof time);
  for (int turns = 0; !atomic_load(&flag); turns = 1) {
    if (turns) ((char *)&time.tv_nsec)[1] = 1;
    *(char *)&time.tv_nsec = 1;
    assert(time.tv_nsec == 1); //~[half] assertion
  }
#elif defined(POINTER)
  struct timespec *pointer[1] = {&time};
  time.tv_nsec = 0;
  while (!atomic_load(&flag))
    time.tv_nsec = 7;
  assert(pointer[0]->tv_nsec == 0); //~[pointer] assertion
#elif defined(EITHER)
  struct timespec *one = &time;
  time.tv_nsec = other.tv_nsec = 0;
  while (!atomic_load(&flag)) {
    time.tv_nsec = 7;
    one = &other;
  }
  assert(one->tv_nsec == 0 && (one = &time)->tv_nsec == 0); //~[either] assertion
#elif defined(BETWEEN)
  count[0] = 0;
  for (;; count[0] = 1)
    if (atomic_load(&flag)) {
      if (atomic_load(&flag)) assert(count[0] == 0); //~[between] assertion
      return;
    }
#elif defined(JUMPS)
  static _Thread_local jmp_buf start;
  count[0] = 0;
  if (setjmp(start)) {
    assert(count[0] == 0); //~[jumps] assertion
    return;
  }
  while (!atomic_load(&flag))
    count[0] = 1;
  longjmp(start, 1);
#endif
}

static void *waits(void *arg) {
  waits_for_flag();
  return arg;
}
