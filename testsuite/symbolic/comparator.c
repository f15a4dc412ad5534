//@ revisions: safe subtraction
//@[safe] verdict: safe
//@[subtraction] verdict: unsafe(assertion)
//@[subtraction] cflags: -DSUBTRACTION
// A comparator over two fields of 32 bits is antisymmetric and transitive. SUBTRACTION: one that takes the difference, which wraps
// around, is neither.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

struct pair {
  int major, minor;
};

static int sign(int a, int b) {
#ifdef SUBTRACTION
  int difference = (int)((unsigned)a - (unsigned)b);
  return difference < 0 ? -1 : difference > 0;
#else
  return a < b ? -1 : a > b;
#endif
}

static int compare(struct pair a, struct pair b) {
  int result = sign(a.major, b.major);
  return result ? result : sign(a.minor, b.minor);
}

int main(void) {
  struct pair p[3];
  for (int i = 0; i < 3; i++) {
    p[i].major = __VERIFIER_nondet_int();
    p[i].minor = __VERIFIER_nondet_int();
  }
  assert(compare(p[0], p[1]) == -compare(p[1], p[0])); //~[subtraction] assertion
  if (compare(p[0], p[1]) < 0 && compare(p[1], p[2]) < 0)
    assert(compare(p[0], p[2]) < 0); //~[subtraction] assertion
  return 0;
}
