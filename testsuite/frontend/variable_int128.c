// Integers of 128 bits among a variable number of arguments, behind one, two and four others (then registers are used up).
// System V ABI of x86-64, 3.2.3 and 3.5.7. In the other revision the sum is not what is said.
//@ revisions: right wrong
//@[wrong] cflags: -DWRONG
//@[right] verdict: safe
//@[wrong] verdict: unsafe(assertion)
//@ args: -m64
#include <assert.h>
#include <stdarg.h>

#ifdef WRONG
#define LAST 4
#else
#define LAST 3
#endif

static __int128 sum(const char *kinds, ...) {
  __int128 result = 0;
  va_list list;
  va_start(list, kinds);
  for (; *kinds; kinds++)
    result += *kinds == 'w' ? va_arg(list, __int128) : va_arg(list, int);
  va_end(list);
  return result;
}

int main(void) {
  __int128 wide = (__int128)5 << 64 | 7;
  assert(sum("iwi", 1, wide, LAST) == wide + 4); //~[wrong] assertion
  assert(sum("iiwi", 1, 2, wide, 3) == wide + 6);
  assert(sum("iiiiwi", 1, 2, 3, 4, wide, 3) == wide + 13);
}
