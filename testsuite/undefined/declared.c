//@ revisions: add_nuw sub_nuw mul_nuw shl_nuw shl_nsw lshr_exact ashr_exact udiv_exact sdiv_exact or_disjoint
//@ revisions: zext_nneg trunc_nuw trunc_nsw wide_add_nuw vector_add_nuw uitofp_nneg fadd_nnan fadd_ninf fcmp_nnan
//@ revisions: abs_int_min shuffled undef_constant poison_constant never_written extracted inserted_beyond selected
//@ revisions: new_content sshl_sat ushl_sat converted converted_unsigned rounded jumped
//@[add_nuw] verdict: unsafe(uninitialised)
//@[add_nuw] cflags: -DOPERATION=add_nuw -DRESULT=add_nuw(-1,1)
//@[sub_nuw] verdict: unsafe(uninitialised)
//@[sub_nuw] cflags: -DOPERATION=sub_nuw -DRESULT=sub_nuw(1,2)
//@[mul_nuw] verdict: unsafe(uninitialised)
//@[mul_nuw] cflags: -DOPERATION=mul_nuw -DRESULT=mul_nuw(1ul<<63,2)
//@[shl_nuw] verdict: unsafe(uninitialised)
//@[shl_nuw] cflags: -DOPERATION=shl_nuw -DRESULT=shl_nuw(-1,1)
//@[shl_nsw] verdict: unsafe(uninitialised)
//@[shl_nsw] cflags: -DOPERATION=shl_nsw -DRESULT=shl_nsw(1ul<<62,1)
//@[lshr_exact] verdict: unsafe(uninitialised)
//@[lshr_exact] cflags: -DOPERATION=lshr_exact -DRESULT=lshr_exact(5,1)
//@[ashr_exact] verdict: unsafe(uninitialised)
//@[ashr_exact] cflags: -DOPERATION=ashr_exact -DRESULT=ashr_exact(-5,1)
//@[udiv_exact] verdict: unsafe(uninitialised)
//@[udiv_exact] cflags: -DOPERATION=udiv_exact -DRESULT=udiv_exact(7,2)
//@[sdiv_exact] verdict: unsafe(uninitialised)
//@[sdiv_exact] cflags: -DOPERATION=sdiv_exact -DRESULT=sdiv_exact(-7,2)
//@[or_disjoint] verdict: unsafe(uninitialised)
//@[or_disjoint] cflags: -DOPERATION=or_disjoint -DRESULT=or_disjoint(6,2)
//@[zext_nneg] verdict: unsafe(uninitialised)
//@[zext_nneg] cflags: -DOPERATION=zext_nneg -DRESULT=zext_nneg(-1,0)
//@[trunc_nuw] verdict: unsafe(uninitialised)
//@[trunc_nuw] cflags: -DOPERATION=trunc_nuw -DRESULT=trunc_nuw(256,0)
//@[trunc_nsw] verdict: unsafe(uninitialised)
//@[trunc_nsw] cflags: -DOPERATION=trunc_nsw -DRESULT=trunc_nsw(128,0)
//@[wide_add_nuw] verdict: unsafe(uninitialised)
//@[wide_add_nuw] cflags: -DOPERATION=wide_add_nuw -DRESULT=wide_add_nuw(-1,1)
//@[vector_add_nuw] verdict: unsafe(uninitialised)
//@[vector_add_nuw] cflags: -DOPERATION=vector_add_nuw -DRESULT=vector_add_nuw(-1,1)
//@[uitofp_nneg] verdict: unsafe(uninitialised)
//@[uitofp_nneg] cflags: -DOPERATION=uitofp_nneg -DRESULT=uitofp_nneg(-1,0)
//@[fadd_nnan] verdict: unsafe(uninitialised)
//@[fadd_nnan] cflags: -DOPERATION=fadd_nnan -DRESULT=fadd_nnan(0x7ff8000000000000,0)
//@[fadd_ninf] verdict: unsafe(uninitialised)
//@[fadd_ninf] cflags: -DOPERATION=fadd_ninf -DRESULT=fadd_ninf(0x7ff0000000000000,0)
//@[fcmp_nnan] verdict: unsafe(uninitialised)
//@[fcmp_nnan] cflags: -DOPERATION=fcmp_nnan -DRESULT=fcmp_nnan(0x7ff8000000000000,0)
//@[abs_int_min] verdict: unsafe(uninitialised)
//@[abs_int_min] cflags: -DOPERATION=abs_int_min -DRESULT=abs_int_min(1ul<<63,0)
//@[shuffled] verdict: unsafe(uninitialised)
//@[shuffled] cflags: -DOPERATION=shuffled -DRESULT=shuffled(1,1)
//@[undef_constant] verdict: unsafe(uninitialised)
//@[undef_constant] cflags: -DOPERATION=undef_constant -DRESULT=undef_constant(1,2)
//@[poison_constant] verdict: unsafe(uninitialised)
//@[poison_constant] cflags: -DOPERATION=poison_constant -DRESULT=poison_constant(1,2)
//@[never_written] verdict: unsafe(uninitialised)
//@[never_written] cflags: -DOPERATION=never_written -DRESULT=never_written(1,1)
//@[extracted] verdict: unsafe(uninitialised)
//@[extracted] cflags: -DOPERATION=extracted -DRESULT=extracted(1,4)
//@[inserted_beyond] verdict: unsafe(uninitialised)
//@[inserted_beyond] cflags: -DOPERATION=inserted_beyond -DRESULT=inserted_beyond(1,4)
//@[selected] verdict: unsafe(uninitialised)
//@[selected] cflags: -DOPERATION=selected -DRESULT=selected(1,1)
//@[new_content] verdict: unsafe(uninitialised)
//@[new_content] cflags: -DOPERATION=new_content -DRESULT=new_content(1,1)
//@[sshl_sat] verdict: unsafe(uninitialised)
//@[sshl_sat] cflags: -DOPERATION=sshl_sat -DRESULT=sshl_sat(1,64)
//@[sshl_sat] args: --check uninitialised
//@[ushl_sat] verdict: unsafe(uninitialised)
//@[ushl_sat] cflags: -DOPERATION=ushl_sat -DRESULT=ushl_sat(1,64)
//@[ushl_sat] args: --check uninitialised
//@[converted] verdict: unsafe(uninitialised)
//@[converted] cflags: -DOPERATION=converted -DRESULT=converted(0x7ff8000000000000,0)
//@[converted] args: --check uninitialised
//@[converted_unsigned] verdict: unsafe(uninitialised)
//@[converted_unsigned] cflags: -DOPERATION=converted_unsigned -DRESULT=converted_unsigned(0xbff0000000000000,0)
//@[converted_unsigned] args: --check uninitialised
//@[rounded] verdict: unsafe(uninitialised)
//@[rounded] cflags: -DOPERATION=rounded -DRESULT=rounded(0x7ff0000000000000,0)
//@[rounded] args: --check uninitialised
//@[jumped] verdict: unsafe(uninitialised)
//@[jumped] cflags: -DOPERATION=jumped -DRESULT=jumped(1,4)
//@ also: declared.ll
// What clang does not emit, or not without optimisation, in the words of LLVM. declared_kept.c is the twin.
long OPERATION(long, long);

int main(void) {
  if (RESULT == 0) //~ uninitialised
    return 1;
  return 0;
}
