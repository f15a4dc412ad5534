//@ revisions: broken never_written kept
//@[broken] verdict: unsafe(abort)
//@[broken] cflags: -DN=3
//@[never_written] verdict: unsafe(uninitialised)
//@[never_written] cflags: -DNEVER_WRITTEN
//@[kept] verdict: safe
//@[kept] cflags: -DN=4
//@[kept] native: run
#ifndef __clang__
#define __builtin_assume(x) ((void)0)
#endif
// llvm.assume of something that does not hold is undefined, as is one of an undefined value.
int main(void) {
#ifdef NEVER_WRITTEN
  int n;
  __builtin_assume(n == 4); //~[never_written] uninitialised
#else
  int n = N;
  __builtin_assume(n == 4); //~[broken] abort
#endif
  return n == 4 ? 0 : 1;
}
