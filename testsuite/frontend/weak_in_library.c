// A weak declaration of what glibc has is not null, be it modelled (pthread_create), library code (qsort) or neither: then calling it is
// unknown. What it does not have is null.
// What only later versions have (glibc 2.38) may be null or not.
//@ revisions: asked asked32 hook called variable initialiser modelled later later_modelled
//@[asked asked32 hook initialiser modelled] verdict: safe
//@[asked asked32 modelled] assumes-not: weak-is-null
//@[asked32] args: -m32
//@[asked asked32 initialiser] cflags: -DASKED
//@[asked initialiser] native: run
//@[hook] cflags: -DHOOK
//@[hook] assumes: weak-is-null
//@[hook] native: run
//@[called] cflags: -DCALLED
//@[called] verdict: unknown(getcpu)
//@[variable] cflags: -DVARIABLE
//@[variable] verdict: unknown(error_print_progname)
//@[modelled] native: run
//@[later] cflags: -DLATER=wcslcpy
//@[later_modelled] cflags: -DLATER=strlcpy
//@[later later_modelled] verdict: unknown(which is weak and nowhere defined)
#include <assert.h>
#include <stddef.h>

extern int getcpu(unsigned *, unsigned *) __attribute__((weak));
extern char *error_print_progname __attribute__((weak));
extern int pthread_create() __attribute__((weak));
extern int pthread_join() __attribute__((weak));
extern void qsort(void *, size_t, size_t, int (*)(const void *, const void *)) __attribute__((weak));
extern void my_hook(int) __attribute__((weak));

#ifdef ASKED
static int (*const in_table)(unsigned *, unsigned *) = getcpu;
#endif

static int active(void) { return pthread_create != 0; }

static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

static void *run(void *arg) { return arg; }

int main(void) {
  int calls = 0;
#ifdef ASKED
  assert(getcpu && in_table == getcpu && &error_print_progname);
#endif
#ifdef LATER
  extern size_t LATER() __attribute__((weak));
  assert(LATER);
#endif
#ifdef HOOK
  if (my_hook)
    my_hook(1);
  else
    calls++;
  assert(calls == 1);
#endif
#ifdef CALLED
  unsigned cpu, node;
  if (getcpu)
    getcpu(&cpu, &node);
#endif
#ifdef VARIABLE
  if (&error_print_progname)
    calls += error_print_progname != 0;
#endif
  int numbers[3] = {3, 1, 2};
  if (qsort)
    qsort(numbers, 3, sizeof *numbers, compare);
  assert(numbers[0] == 1 && numbers[2] == 3);
  if (active()) {
    unsigned long thread;
    pthread_create(&thread, NULL, run, NULL);
    pthread_join(thread, NULL);
    calls++;
  }
  assert(active() && calls >= 1);
  return 0;
}
