//@ revisions: clz ctz wide looked_up unused some
//@[clz] verdict: unsafe(uninitialised)
//@[clz] cflags: -DCOUNT=__builtin_clz(0)
//@[ctz] verdict: unsafe(uninitialised)
//@[ctz] cflags: -DCOUNT=__builtin_ctzll(no+0ull)
//@[wide] verdict: unsafe(uninitialised)
//@[wide] cflags: -DCOUNT=__builtin_clzg(wide_no)
//@[looked_up] verdict: unsafe(uninitialised)
//@[looked_up] cflags: -DCOUNT=names[__builtin_ctz(no)]
//@[unused] verdict: safe
//@[unused] cflags: -DCOUNT=(no?__builtin_clz(no):7)
//@[unused] native: run
//@[some] verdict: safe
//@[some] cflags: -DCOUNT=__builtin_ctz(128)
//@[some] native: run
// The first one bit of 0: LLVM's second operand of llvm.ctlz and llvm.cttz, which makes that poison.
static const char names[64];
static unsigned no;
static unsigned __int128 wide_no;

int main(void) {
  int count = COUNT + (int)(no + names[no]); //~[looked_up] uninitialised
  if (count == 7) //~[clz ctz wide] uninitialised
    return 0;
  return 1;
}
