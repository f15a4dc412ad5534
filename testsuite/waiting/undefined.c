//@ also: undefined.ll
//@ revisions: looks copies
//@[looks] cflags: -DWAITS=looks
//@[looks] verdict: unsafe(uninitialised)
//@[copies] cflags: -DWAITS=copies
//@[copies] verdict: safe
//@[copies] awaits: 1
//@ cutoffs: needed
//@ source: by hand: looks: the value is 0 without a turn, and undefined with one
// Code that compilers make of variables without a value. A thread that only waited would miss what it finds behind a
// turn.
int WAITS(void);

int main(void) {
  return WAITS(); //~[looks] uninitialised
}
