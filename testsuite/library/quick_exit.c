//@ verdict: unsafe(assertion)
#include <assert.h>
#include <stdlib.h>

static int order;
static void first(void) { assert(order++ == 1); }
static void second(void) { assert(order++ == 0); }
static void never(void) { assert(0); }
static void last(void) { assert(order == 3); } //~ assertion

int main(void) {
  atexit(never);
  at_quick_exit(last);
  at_quick_exit(first);
  at_quick_exit(second);
  quick_exit(0);
}
