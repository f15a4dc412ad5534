//@ revisions: fixed broken closed named float pointer structure never
//@[fixed broken float pointer structure never] args: --externals symbolic
//@[named] args: --externals measure
//@[fixed] verdict: safe
//@[broken named] verdict: unsafe(assertion)
//@[broken named] cflags: -DBROKEN
//@[closed] verdict: unknown(call of `is_on`, which is neither defined nor modelled)
//@[float] verdict: unknown(call of `ratio`, which nobody defines, and whose result is no integer)
//@[float] cflags: -DFLOAT
//@[pointer] verdict: unknown(call of `name`, which nobody defines, and whose result is no integer)
//@[pointer] cflags: -DPOINTER
//@[structure] verdict: unknown(call of `all`, which nobody defines, and whose result is no integer)
//@[structure] cflags: -DSTRUCTURE
//@[never] verdict: unknown(call of `stop`, which is neither defined nor modelled)
//@[never] cflags: -DNEVER
//@[fixed] assumes: external-functions
//@[closed] assumes-not: external-functions
// Functions that nobody defines return anything: a measurement may be negative, and two of them may differ. What returns no integer,
// or does not return, is unknown in any case. If only `measure` is open, its bug is found before the other one is called.
#include <assert.h>
#include <pthread.h>

struct values {
  long of[4];
};
extern _Bool is_on(void);
extern short measure(int channel);
extern void tell(const char *what, ...);
extern double ratio(void);
extern char *name(void);
extern struct values all(void);
extern void stop(void) __attribute__((noreturn));

static int level;

static void *meter(void *unused) {
#ifdef BROKEN
  int once = measure(1);
  assert(once >= -32768 && once <= 32767);
  assert(once != -1234); //~[broken named] assertion
#endif
  if (is_on()) {
    level = measure(1);
    if (level < 0)
      level = -level;
  }
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, meter, 0);
  pthread_join(thread, 0);
  tell("%d", level);
  assert(level >= 0 && level <= 32768);
#if defined FLOAT
  return ratio() > 0.5;
#elif defined POINTER
  return name() != 0;
#elif defined STRUCTURE
  return all().of[0] == 1;
#elif defined NEVER
  if (level == 5)
    stop();
#endif
  return 0;
}
