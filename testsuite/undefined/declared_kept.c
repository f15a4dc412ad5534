//@ verdict: safe
//@ source: LLVM 19 Language Reference, each operation
//@ also: declared.ll
// The operations of declared.ll where they have results.
#include <assert.h>

#define ALL(F) \
  F(add_nuw) F(sub_nuw) F(mul_nuw) F(shl_nuw) F(shl_nsw) F(lshr_exact) F(ashr_exact) F(udiv_exact) \
  F(sdiv_exact) F(or_disjoint) F(zext_nneg) F(trunc_nuw) F(trunc_nsw) F(wide_add_nuw) \
  F(vector_add_nuw) F(uitofp_nneg) F(fadd_nnan) F(fadd_ninf) F(fcmp_nnan) F(abs_int_min) \
  F(shuffled) F(undef_constant) F(poison_constant) F(never_written) F(extracted) F(ushl_sat) \
  F(frozen) F(inserted_beyond) F(selected) F(new_content) F(sshl_sat) F(converted) F(converted_unsigned) F(rounded) \
  F(abs_smallest) F(divided) F(divided_unsigned) F(shifted) F(copied) F(after_the_end) F(inserted_computed) F(other_space) \
  F(jumped) F(very_wide)
#define DECLARE(f) long f(long, long);
ALL(DECLARE)

int main(void) {
  const long two = 0x4000000000000000, nan = 0x7ff8000000000000, infinity = 0x7ff0000000000000;
  assert(add_nuw(3, 4) == 7 && sub_nuw(4, 4) == 0 && mul_nuw(1l << 31, 2) == 1l << 32 && shl_nuw(7, 2) == 28);
  assert(shl_nsw(-3, 2) == -12 && lshr_exact(6, 1) == 3 && ashr_exact(-6, 1) == -3 && udiv_exact(8, 2) == 4);
  assert(sdiv_exact(-8, 2) == -4 && or_disjoint(5, 2) == 7 && zext_nneg(5, 0) == 5 && trunc_nuw(255, 0) == 255);
  assert(trunc_nsw(-128, 0) == -128 && wide_add_nuw(3, 4) == 7 && vector_add_nuw(3, 4) == 7);
  assert(uitofp_nneg(2, 0) == two && fadd_nnan(two, 0) == two && fadd_nnan(infinity, 0) == infinity);
  assert(fadd_ninf(nan, 0) == nan && fcmp_nnan(0, 0) == 0 && abs_int_min(-1, 0) == 1 && shuffled(7, 0) == 7);
  assert(undef_constant(7, 1) == 7 && poison_constant(7, 1) == 7 && never_written(7, 0) == 7);
  assert(extracted(7, 0) == 7 && extracted(7, 3) == 0 && frozen(7, 0) == 7);
  assert(ushl_sat(3, 63) == -1 && sshl_sat(3, 63) == 0x7fffffffffffffff && sshl_sat(-3, 2) == -12);
  assert(inserted_beyond(7, 1) == 7 && selected(7, 0) == 7 && new_content(7, 0) == 7 && after_the_end(7, 0) == 7);
  assert(converted(two, 0) == 2 && converted_unsigned(two, 0) == 2 && rounded(0x4004000000000000, 0) == 3);
  assert(abs_smallest(-7, 0) == 7 && divided(-7, 2) == -3 && divided_unsigned(7, 2) == 3 && shifted(7, 1) == 3);
  assert(copied(7, 0) == 7 && copied(7, 16) == 0 && inserted_computed(7, 0) == 7 && inserted_computed(7, 1) == 0);
  assert(other_space(7, 0) == 7 && jumped(7, 1) == 7 && very_wide(7, 0) == 7);
  return 0;
}
