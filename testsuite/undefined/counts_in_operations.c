//@ revisions: sum shift quotient smallest wide sum32 unwritten off zero kept kept32 not_asked error
//@[sum shift quotient smallest wide sum32 unwritten off kept kept32 not_asked] args: --uninitialised any
//@[sum shift quotient smallest wide sum32] verdict: unsafe(overflow)
//@[sum sum32] cflags: -DRESULT=x+1
//@[shift] cflags: -DRESULT=1<<x
//@[quotient] cflags: -DRESULT=7%(x&1)
//@[smallest] cflags: -DRESULT=x/-1
//@[wide] cflags: -DTYPE=__int128 -DRESULT=x-1
//@[unwritten] cflags: -DATOMIC -DRESULT=x+1
//@[unwritten] verdict: unknown(whether there is a result)
//@[off] args: --symbolic off
//@[off] cflags: -DRESULT=x+1
//@[off] verdict: unknown(whether there is a result)
//@[zero] args: --uninitialised zero
//@[zero] cflags: -DRESULT=x+1
//@[zero] assumes: zero-uninitialised
//@[zero kept kept32 not_asked error] verdict: safe
//@[kept kept32] cflags: -DRESULT=x/3
//@[not_asked error] cflags: -DRESULT=x+1
//@[not_asked] args: --check assertion,memory
//@[error] args: --uninitialised error
//@[sum32 kept32] args: -m32
// An operation that is an error for some values depends on what was never written, also if nobody looks at its result. (By
// default only what looks at that does.)
#include <stdatomic.h>
#ifndef TYPE
#define TYPE int
#endif

int main(void) {
#ifdef ATOMIC
  atomic_int place, *volatile there = &place;
  int x = atomic_load(there);
#else
  TYPE x;
#endif
  TYPE y = RESULT; //~[sum shift quotient smallest wide sum32] overflow
  (void)y;
  return 0;
}
