//@ revisions: beyond on_stack kept kept32 beyond32
//@[beyond on_stack beyond32] verdict: unsafe(memory)
//@[beyond beyond32] cflags: -DGIVEN=2
//@[on_stack] cflags: -DGIVEN=2 -DMORE=1,2,3,4,5,6,
//@[kept kept32] cflags: -DGIVEN=1
//@[kept32 beyond32] args: -m32
//@[kept kept32] verdict: safe
//@[kept] native: run
// va_arg beyond the last argument.
#include <stdarg.h>
#ifdef MORE
#define FIRST 6
#else
#define FIRST 0
#define MORE
#endif

static int sum(int n, ...) {
  va_list list;
  va_start(list, n);
  int result = 0;
  for (int i = 0; i < n; i++)
    result += va_arg(list, int); //~[beyond on_stack beyond32] memory
  va_end(list);
  return result;
}

int main(void) { return sum(FIRST + GIVEN, MORE 7) == 7 ? 0 : 1; }
