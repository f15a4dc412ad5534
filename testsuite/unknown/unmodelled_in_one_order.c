//@ revisions: reached not_reached
//@ verdict: unknown(mystery)
//@[reached] cflags: -DSEEN=(seen==2)
//@[not_reached] verdict: safe
//@[not_reached] cflags: -DSEEN=(seen==3)
//@ orders: 2
#include "../threads.h"
#include <stdatomic.h>
extern void mystery(void);
static atomic_int x;

static void *writer(void *arg) {
  x = 1 + (int)(long)arg;
  return 0;
}

int main(void) {
  run_copies(2, writer);
  int seen = x;
  if (SEEN)
    mystery();
  return 0;
}
