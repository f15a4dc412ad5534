//@ revisions: safe broken
//@[safe] verdict: safe
//@[broken] verdict: unsafe(endless-loop)
//@[broken] cflags: -DBROKEN
//@ cutoffs: needed
// A program waits as long as a device says that it is busy. BROKEN: it asks once. So there is one answer out of 2^32 with
// which it waits for ever. (A program that asks again gets another answer at some time.)
extern int __VERIFIER_nondet_int(void);
static int answer;

int main(void) {
  answer = __VERIFIER_nondet_int();
  while (answer == 4711) { //~[broken] endless-loop
#ifndef BROKEN
    answer = __VERIFIER_nondet_int();
#endif
  }
}
