//@ revisions: add sub mul neg inc dec abs_ divide rest zero rest_zero long_add long_long compound bits sum_of_chars wide_add wide_mul wide_neg wide_shift m32
//@ verdict: unsafe(overflow)
//@[add] cflags: -DDO=i+1
//@[sub] cflags: -DDO=-2-i
//@[mul] cflags: -DDO=i*2
//@[neg] cflags: -DDO=-small
//@[inc] cflags: -DDO=i++
//@[dec] cflags: -DDO=small--
//@[abs_] cflags: -DDO=abs(small)
//@[divide] cflags: -DDO=small/minus
//@[rest] cflags: -DDO=small%minus
//@[zero] cflags: -DDO=i/none
//@[rest_zero] cflags: -DDO=i%none
//@[long_add] cflags: -DDO=l+1
//@[long_long] cflags: -DDO=ll*minus*3
//@[compound] cflags: -DDO=(i-=minus)
//@[bits] cflags: -DDO=(1<<one*32)
//@[sum_of_chars] cflags: -DDO=(c*c*c*c*c)
//@[wide_add] cflags: -DDO=w+w
//@[wide_mul] cflags: -DDO=w*2
//@[wide_neg] cflags: -DDO=-(-w-w)
//@[wide_shift] cflags: -DDO=w>>one*128
//@[m32] cflags: -DDO=l+1
//@[m32] args: -m32
//@ source: C17 6.5 paragraph 5 and 6.5.5, 6.5.7; INT_MAX, INT_MIN, LONG_MAX of the target
// What does not fit into its type, each on its own.
#include <limits.h>
#include <stdlib.h>

int main(void) {
  volatile int i = INT_MAX, small = INT_MIN, minus = -1, none = 0, one = 1;
  volatile long l = LONG_MAX;
  volatile long long ll = LLONG_MAX;
#ifndef __i386__
  volatile __int128 w = (__int128)1 << 126;
  (void)w;
#endif
  volatile signed char c = 127; // 127 to the fifth is more than 2 to the 34th
  long long result = DO; //~ overflow
  (void)i, (void)small, (void)minus, (void)none, (void)one, (void)l, (void)ll, (void)c;
  return result != 0;
}
