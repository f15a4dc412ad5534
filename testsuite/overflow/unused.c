//@ verdict: unsafe(overflow)
//@ revisions: sum difference product absolute converted
//@[sum] cflags: -DVALUE=most+n
//@[difference] cflags: -DVALUE=-most-n-n
//@[product] cflags: -DVALUE=most*(n+1)
//@[absolute] cflags: -DVALUE=abs(-most-n)
//@[converted] cflags: -DVALUE=(int)(most*4.0)
// Overflow is a bug even if nobody looks at the result.
#include <limits.h>
#include <stdlib.h>

static void compute(int most, int n) {
  int result = 0;
  result = VALUE; //~ overflow
}

int main(void) { compute(INT_MAX, 1); }
