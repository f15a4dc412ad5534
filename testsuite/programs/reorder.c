//@ revisions: two_flags one_word
//@[two_flags] verdict: unsafe(assertion)
//@[one_word] verdict: safe
//@[one_word] cflags: -DONE
//@[one_word] executions: 2
//@[one_word] orders: 2
//@ source: setting two numbers one after the other can be seen in the middle; one store cannot
// A writer sets both numbers; a checker must find both set or neither.
#include "../threads.h"
#include <assert.h>
#include <stdatomic.h>
static atomic_int a, b;
static atomic_llong both;

static void *writer(void *arg) {
#ifdef ONE
  both = 1LL << 32 | 1;
#else
  a = 1;
  b = 1;
#endif
  return arg;
}

static void *checker(void *arg) {
#ifdef ONE
  long long seen = both;
  assert(seen == 0 || seen == (1LL << 32 | 1));
#else
  assert(a == b); //~[two_flags] assertion
#endif
  return arg;
}

int main(void) {
  run_all(2, (routine *const[]){writer, checker});
  (void)a, (void)b, (void)both;
  return 0;
}
