//@ revisions: ushl_sat sshl_sat abs_smallest divided smallest divided_unsigned shifted converted converted_unsigned
//@ revisions: rounded copied after_the_end inserted_computed frozen other_space shifted_unasked divided_unasked very_wide
//@[ushl_sat sshl_sat abs_smallest divided smallest divided_unsigned] verdict: unsafe(overflow)
//@[shifted converted converted_unsigned rounded] verdict: unsafe(overflow)
//@[copied after_the_end inserted_computed] verdict: unsafe(memory)
//@[ushl_sat] cflags: -DRESULT=ushl_sat(1,64)
//@[sshl_sat] cflags: -DRESULT=sshl_sat(1,64)
//@[abs_smallest] cflags: -DRESULT=abs_smallest(1ul<<63,0)
//@[divided] cflags: -DRESULT=divided(7,0)
//@[smallest] cflags: -DRESULT=divided(1ul<<63,-1)
//@[divided_unsigned] cflags: -DRESULT=divided_unsigned(7,0)
//@[shifted] cflags: -DRESULT=shifted(7,64)
//@[converted] cflags: -DFLOATS -DRESULT=converted(0x43e0000000000000,0)
//@[converted_unsigned] cflags: -DFLOATS -DRESULT=converted_unsigned(0x43f0000000000000,0)
//@[rounded] cflags: -DFLOATS -DRESULT=rounded(0x43e0000000000000,0)
//@[copied] cflags: -DPLACES -DRESULT=copied(1,8)
//@[after_the_end] cflags: -DPLACES -DRESULT=after_the_end(1,1)
//@[inserted_computed] cflags: -DPLACES -DRESULT=inserted_computed(1,2)
//@[frozen] cflags: -DRESULT=frozen(1,2)
//@[frozen] verdict: unknown(an undefined value is frozen)
//@[other_space] cflags: -DRESULT=other_space(1,1)
//@[other_space] verdict: unknown(addrspacecast)
//@[shifted_unasked] cflags: -DRESULT=shifted(7,64)
//@[divided_unasked] cflags: -DRESULT=divided(7,0)
//@[shifted_unasked divided_unasked] args: --check uninitialised
//@[shifted_unasked] verdict: unknown(a value of 64 bits is shifted by 64)
//@[divided_unasked] verdict: unknown(by zero)
//@[very_wide] cflags: -DRESULT=very_wide(3,4)
//@[very_wide] verdict: unknown(of type i256)
//@ also: declared.ll
// Operations of declared.ll that are errors by themselves, whoever looks at the result. 0x43e… is 2 to the 63rd, 0x43f… to the
// 64th. declared_kept.c is the twin.
#define ALL(F) \
  F(ushl_sat) F(sshl_sat) F(abs_smallest) F(divided) F(divided_unsigned) F(shifted) F(converted) \
  F(converted_unsigned) F(rounded) F(copied) F(after_the_end) F(inserted_computed) F(frozen) F(other_space) \
  F(very_wide)
#define DECLARE(f) long f(long, long);
ALL(DECLARE)

int main(void) {
#ifdef FLOATS
  RESULT; //~[converted converted_unsigned rounded] overflow
#elif defined PLACES
  RESULT; //~[copied after_the_end inserted_computed] memory
#else
  RESULT; //~[ushl_sat sshl_sat abs_smallest divided smallest divided_unsigned shifted] overflow
#endif
  return 0;
}
