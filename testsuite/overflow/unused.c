//@ verdict: unsafe(overflow)
//@ revisions: sum difference product absolute converted left right signed_right large wide quotient remainder smallest
//@[sum] cflags: -DVALUE=most+n
//@[difference] cflags: -DVALUE=-most-n-n
//@[product] cflags: -DVALUE=most*(n+1)
//@[absolute] cflags: -DVALUE=abs(-most-n)
//@[converted] cflags: -DVALUE=(int)(most*4.0)
//@[left] cflags: -DVALUE=1<<(n+31)
//@[right] cflags: -DVALUE=7u>>(n+31)
//@[signed_right] cflags: -DVALUE=-7>>(n+31)
//@[large] cflags: -DVALUE=n<<32
//@[wide] cflags: -DVALUE=(__int128)n<<(n+127)
//@[quotient] cflags: -DVALUE=most/(n-1)
//@[remainder] cflags: -DVALUE=most%(n-1)
//@[smallest] cflags: -DVALUE=(-most-n)/-n
// Overflow is a bug even if nobody looks at the result, and so is a shift by too many bits.
#include <limits.h>
#include <stdlib.h>

static void compute(int most, int n) {
  int result = 0;
  result = VALUE; //~ overflow
}

int main(void) { compute(INT_MAX, 1); }
