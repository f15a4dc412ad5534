//@ verdict: safe
//@ revisions: counts yields pauses down long cases near far doubles jumps fast tells wraps
//@[counts] cflags: -DNEXT=turns++
//@[yields] cflags: -DNEXT=if(turns++%16==15)sched_yield()
//@[pauses] cflags: -DNEXT=if(++turns>100)usleep(1)
//@[down] cflags: -DNEXT=turns-=2
//@[long] cflags: -DTYPE=long -DNEXT=++turns
//@[cases] cflags: -DNEXT=switch(turns++&3){case(0):sched_yield();break;case(2):usleep(1);}
//@[counts yields pauses down long cases] awaits: 1
//@[counts yields pauses down long cases] assumes: few-turns
//@[wraps] cflags: -DNEXT=turns++
//@[wraps] args: --check assertion
//@[wraps] awaits: 1
//@[wraps] assumes-not: few-turns
//@[near] cflags: -DFIRST=2147483645 -DNEXT=turns++
//@[far] cflags: -DFIRST=-2147483647 -DNEXT=turns--
//@[doubles] cflags: -DFIRST=1 -DNEXT=turns+=turns
//@[jumps] cflags: -DNEXT=turns+=1000000000
//@[fast] cflags: -DFIRST=134217727 -DNEXT=turns=(int)(turns*16u+15u)+1
//@[near far doubles jumps fast] verdict: unsafe(overflow)
//@[tells] cflags: -DNEXT=turns+=turns<3 -DTELLS
//@[tells] verdict: unsafe(assertion)
//@ cutoffs: needed
//@ states: no
//@ source: each thread goes on when the flag is set, in one way, or it goes round until its number overflows
// Threads wait for a flag and count how often they looked, in a signed number: it overflows at last, which is an error,
// and they are taken to go on before that, unless it comes soon.
#include "flag.h"
#include <assert.h>
#include <sched.h>
#include <unistd.h>
#ifndef TYPE
#define TYPE int
#endif
#ifndef FIRST
#define FIRST 0
#endif

static void *waits(void *arg) {
  TYPE turns = FIRST;
  while (!atomic_load(&flag)) {
    NEXT; //~[near far doubles jumps fast] overflow
  }
#ifdef TELLS
  assert(turns < 2); //~[tells] assertion
#endif
  return arg;
}
