//@ revisions: unused parameter made
//@[unused] verdict: safe
//@[unused] cflags: -DUNUSED
//@[unused] executions: 2
//@[parameter] verdict: unsafe(memory)
//@[parameter] cflags: -DPARAMETER
//@[made] verdict: unsafe(memory)
//@[made] cflags: -DMADE
//@ source: own; the thread reads the flag before or after it is set
// A jump ends the variables of all functions between, in the second execution as in the first one.
#include <alloca.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdatomic.h>

static atomic_int flag;
static jmp_buf buffer;
static int *kept;

static void jumps(int *other, int own) {
  int *volatile made = &own;
#ifdef MADE
  made = alloca(2 * sizeof(int));
#endif
  *made = 1;
  *other = 5;
#ifdef UNUSED
  (void)atomic_load(&flag);
  longjmp(buffer, 1);
#else
  if (atomic_load(&flag) == 0)
    longjmp(buffer, 1);
#endif
}

static void between(int n) {
#ifndef UNUSED
  kept = &n;
#endif
  jumps(&n, 0);
}

static void *sets(void *arg) {
  atomic_store(&flag, 1);
  return arg;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, sets, 0);
  if (!setjmp(buffer)) {
    between(0);
#ifndef UNUSED
    *kept = 1; //~[parameter made] memory
#endif
  }
  pthread_join(thread, 0);
  return 0;
}
