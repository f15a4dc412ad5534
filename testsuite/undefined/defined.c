//@ revisions: integers wide floats flags memory attributes
//@ verdict: safe
//@[integers] cflags: -DINTEGERS
//@[wide] cflags: -DWIDE
//@[floats] cflags: -DFLOATS
//@[flags] cflags: -DFLAGS
//@[memory] cflags: -DMEMORY
//@[attributes] cflags: -DATTRIBUTES
//@ also: defined.ll
//@ source: LLVM 19 Language Reference, each operation
// Operations that have a result whatever they are given, and what is declared about values without being made use of.
#include <assert.h>
#include <limits.h>
#include <math.h>

long fshl(long, long, long), fshr(long, long, long), sadd_sat(long, long), uadd_sat(long, long), ssub_sat(long, long);
long usub_sat(long, long), sadd_overflows(long, long), sadd_wrapped(long, long), umul_overflows(long, long);
long umin(long, long), smax(long, long), abs_wraps(long), clz_of_all(long), fptosi_sat(double), fptoui_sat(double);
long very_wide(long), there_and_back(long *, long), loaded(void *), null_loaded(void *), no_alias(void *, void *);
long result(long), attributes(void), comes_back(long), assumed_aligned(void *), masked(long);
double select_nnan(long, double, double), phi_nnan(long, double, double), call_nnan(double), add_nsz(double, double);
double divide_arcp(double, double), multiply_add(double, double, double), root_afn(double);
void *parameters(void *, long, double);

int main(void) {
  volatile double zero = 0, third = 3;
#ifdef INTEGERS
  // The count is taken modulo the width.
  assert(fshl(7, 5, 64) == 7 && fshl(1, LONG_MIN, 65) == 3 && fshr(7, 5, 64) == 5 && fshr(1, 2, 65) == (1ul << 63 | 1));
  assert(sadd_sat(LONG_MAX, 1) == LONG_MAX && sadd_sat(LONG_MIN, -1) == LONG_MIN && sadd_sat(3, 4) == 7);
  assert(uadd_sat(-1, 1) == -1 && ssub_sat(LONG_MIN, 1) == LONG_MIN && usub_sat(1, 2) == 0);
  assert(sadd_overflows(LONG_MAX, 1) == 1 && sadd_overflows(3, 4) == 0 && sadd_wrapped(LONG_MAX, 1) == LONG_MIN);
  assert(umul_overflows(LONG_MIN, 2) == 1 && umul_overflows(LONG_MIN, 1) == 0 && umin(-1, 7) == 7 && smax(-1, 7) == 7);
  assert(abs_wraps(LONG_MIN) == LONG_MIN && clz_of_all(0) == 64 && masked(5) == 5);
#endif
#ifdef WIDE
  // Of 256 bits, shifted by 200, 56 are left.
  assert(very_wide(-1) == (1l << 56) - 1 && very_wide(7) == 7);
#endif
#ifdef FLOATS
  assert(fptosi_sat(zero / zero) == 0 && fptosi_sat(1 / zero) == LONG_MAX && fptosi_sat(-1 / zero) == LONG_MIN);
  assert(fptosi_sat(-2.5) == -2 && fptoui_sat(-1) == 0 && fptoui_sat(1e30) == -1 && fptoui_sat(zero / zero) == 0);
#endif
#ifdef FLAGS
  double nan = zero / zero;
  assert(isnan(select_nnan(1, nan, 1)) && select_nnan(0, nan, 1) == 1 && isinf(select_nnan(1, 1 / zero, 1)));
  assert(isnan(phi_nnan(1, nan, 1)) && phi_nnan(0, nan, 1) == 1 && isnan(call_nnan(nan)) && isinf(call_nnan(1 / zero)));
  // -0 + -0 is -0. A third of 3 is 1, but 1 / 49 * 49 is not. The rounding of a product is not left out.
  assert(signbit(add_nsz(-zero, -zero)) && !signbit(add_nsz(-zero, zero)));
  assert(divide_arcp(49, 49) == 1 && divide_arcp(3, third) == 1 && root_afn(9) == 3);
  assert(multiply_add(1 + 0x1p-30, 1 - 0x1p-30, -1) == 0);
#endif
#ifdef MEMORY
  long array[4] = {7, 8, 9, 10};
  assert(there_and_back(array, 2) == 7 && there_and_back(array, 100) == 7 && there_and_back(array, -1) == 7);
  assert(loaded(array) == 7 && null_loaded(array) == 0 && no_alias(array, array) == 2);
#endif
#ifdef ATTRIBUTES
  long array[4] = {7, 8, 9, 10};
  char *odd = (char *)array + 8;
  assert(parameters(odd, 9, zero / zero) == odd && parameters(0, 9, 1 / zero) == 0 && result(9) == 9);
  assert(attributes() == 1 && attributes() == 2 && assumed_aligned(odd) == 8 && comes_back(3) == 3);
#endif
  (void)third;
  return zero != 0;
}
