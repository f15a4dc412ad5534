//@ revisions: gone kept
//@[gone] verdict: unsafe(memory)
//@[gone] cflags: -DSEEN=make(3).get()
//@[kept] verdict: safe
//@[kept] cflags: -DSEEN=held.get()
//@[kept] native: run
// A temporary object lives until the end of the full expression, unless a reference is bound to it.
struct box {
  int number;
  const int &get() const { return number; }
};

static box make(int number) { return box{number}; }

int main() {
  const box &held = make(3);
  const int &seen = SEEN;
  return seen + held.number == 6 ? 0 : 1; //~[gone] memory
}
