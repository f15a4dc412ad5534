//@ revisions: up down apart signed doubles left summed steps
//@[up down apart signed doubles] verdict: safe
//@[up] cflags: -DWAITING=1 -DPAUSE=for(i=0;i<time%1000000;i++)pause()
//@[down] cflags: -DWAITING=1 -DPAUSE=for(i=time%64;i>0;i--)pause()
//@[apart] cflags: -DWAITING=1 -DPAUSE=for(i=0;i!=time%64;i++)pause()
//@[signed] cflags: -DTYPE=int -DWAITING=1 -DPAUSE=for(i=0;i<(int)(time%64);i++)pause()
//@[doubles] cflags: -DNEXT=(time<1<<24?2*time:time) -DWAITING=1 -DPAUSE=for(i=0;i<time;i++)pause()
//@[up down apart signed doubles] awaits: 1
//@[left] verdict: unsafe(assertion)
//@[left] cflags: -DWAITING=1 -DNEXT=(time+1)%8 -DPAUSE=for(i=0;i<time;i++)pause() -DLEFT=assert(i!=3)
//@[summed] verdict: unsafe(assertion)
//@[summed] cflags: -DWAITING=1 -DNEXT=(sum=0,(time+1)%4) -DPAUSE=for(i=0;i<time;i++)sum+=2 -DLEFT=assert(sum!=4)
//@[steps] verdict: safe
//@[steps] cflags: -DNEXT=(time+1)%4 -DWAITING=1 -DPAUSE=for(i=0;i<time;i+=3)pause()
//@[steps] awaits: 1
//@ cutoffs: needed
//@ states: no
//@ source: a thread goes on when the flag is set, and nobody looks at how long it has paused until then, but in left and summed
// A thread pauses between looks at a flag, for times that look random.
#include "flag.h"
#include <assert.h>
#include <sched.h>
#ifndef TYPE
#define TYPE unsigned
#endif
#ifndef NEXT
#define NEXT (time ^ time << 13) * 5 + 1
#endif
#ifndef LEFT
#define LEFT
#endif

static void pause(void) {
  sched_yield();
}

static void *waits(void *arg) {
  unsigned time = 1, sum = 0;
  TYPE i = 0;
  while (!atomic_load(&flag)) {
    time = NEXT;
    PAUSE;
  }
  LEFT; //~[left summed] assertion
  (void)i, (void)sum;
  return arg;
}
