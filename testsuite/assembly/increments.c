//@ revisions: locked plain by_address
//@ orders: 2
//@[locked by_address] verdict: safe
//@[locked by_address] executions: 2
//@[locked by_address] source: one adds before the other
//@[plain] verdict: unsafe(assertion)
//@[plain] cflags: -DPLAIN
//@[plain] executions: 4
//@[plain] source: a read and a write each: one after the other (2), or both reads first and then either write (2)
//@[by_address] cflags: -DBY_ADDRESS
// With the prefix, other threads come before or after. Without it, they may come between the read and the write.
#include "../threads.h"
#include <assert.h>
#ifdef PLAIN
#define CODE "incl %0"
#else
#define CODE "lock; incl %0"
#endif
static int counter;

static void *adds(void *arg) {
#ifdef BY_ADDRESS
  __asm__ volatile("lock addl %1, (%0)" : : "r"(&counter), "r"(1) : "memory", "cc");
#else
  __asm__ volatile(CODE : "+m"(counter) : : "memory", "cc");
#endif
  return arg;
}

int main(void) {
  run_copies(2, adds);
  assert(counter == 2); //~[plain] assertion
}
