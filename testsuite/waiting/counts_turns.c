//@ verdict: safe
//@ revisions: pauses counts yields again sleeps naps unset tells which gives_up
//@[pauses] cflags: -DPAUSES
//@[counts] cflags: -DCOUNTS
//@[yields] cflags: -DYIELDS
//@[again] cflags: -DAGAIN
//@[sleeps] cflags: -DSLEEPS
//@[naps] cflags: -DNAPS
//@[pauses counts yields again sleeps naps] awaits: 1
//@[unset] cflags: -DNAPS -DUNSET
//@[unset] verdict: unsafe(uninitialised)
//@[tells] cflags: -DTELLS
//@[which] cflags: -DWHICH
//@[gives_up] cflags: -DGIVES_UP
//@[counts yields] states: no
//@[tells which gives_up] verdict: unsafe(assertion)
//@ cutoffs: needed
//@ source: each thread goes on when the flag is set, in one way; unless the program looks at how often it was down
// Threads wait for a flag. What changes from turn to turn is a counter, the time for which they pause, or at which of
// several places they read the flag. Nobody looks at that later, or somebody does.
#include "flag.h"
#include <assert.h>
#include <sched.h>
#include <time.h>
#include <unistd.h>

static void waits_for_flag(void) {
  unsigned turns = 0;
#ifdef PAUSES
  for (unsigned pause = 1; !atomic_load(&flag); pause = pause < 64 ? 2 * pause : pause)
    for (unsigned i = 0; i < pause; i++)
      __builtin_ia32_pause();
#elif defined(COUNTS)
  while (!atomic_load(&flag))
    turns++;
#elif defined(YIELDS)
  while (!atomic_load(&flag))
    if (++turns % 100 == 0) sched_yield();
#elif defined(AGAIN)
  for (;;) {
    if (atomic_load(&flag)) return;
    for (turns = 1; turns < 64; turns *= 2) {
      for (unsigned i = 0; i < turns; i++)
        __builtin_ia32_pause();
      if (atomic_load(&flag)) return;
    }
    sched_yield();
  }
#elif defined(SLEEPS)
  for (unsigned pause = 1; !atomic_load(&flag); pause = pause < 500 ? 2 * pause : 1000)
    usleep(pause);
#elif defined(NAPS)
  struct timespec time;
#ifndef UNSET
  time = (struct timespec){0, 1000};
#endif
  while (!atomic_load(&flag))
    nanosleep(&time, 0); //~[unset] uninitialised
#elif defined(TELLS)
  while (!atomic_load(&flag))
    if (turns < 2) turns++;
  assert(turns < 2); //~[tells] assertion
#elif defined(WHICH)
  for (;;) {
    if (atomic_load(&flag)) return;
    for (turns = 1; turns < 3; turns++)
      if (atomic_load(&flag)) {
        assert(turns == 1); //~[which] assertion
        return;
      }
  }
#elif defined(GIVES_UP)
  while (!atomic_load(&flag)) {
    turns++;
    assert(turns < 3); //~[gives_up] assertion
  }
#endif
}

static void *waits(void *arg) {
  waits_for_flag();
  return arg;
}
