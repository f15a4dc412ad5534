//@ revisions: no_return missing none number kept kept32 no_return32 missing32 number32
//@[no_return no_return32 missing missing32] verdict: unsafe(uninitialised)
//@[none number number32] verdict: unsafe(memory)
//@[kept kept32] verdict: safe
//@ cflags: -Wno-return-type -Wno-cast-function-type
//@[no_return no_return32] cflags: -DNO_RETURN
//@[missing missing32] cflags: -DMISSING
//@[none] cflags: -DTARGET=0
//@[number number32] cflags: -DTARGET=&data
//@[no_return32 missing32 number32 kept32] args: -m32
//@[kept] native: run
// A function that ends without `return` is asked for its value; one is given too few arguments; what is no function is called.
static int data;

static int result(int x) {
#ifndef NO_RETURN
  return x;
#endif
}

static int second(int a, int b) { return a - a + b; }

static int first(int a, int b) { return a; }

int main(void) {
#ifdef TARGET
  int (*volatile target)(int) = (int (*)(int))TARGET;
  target(1); //~[none number number32] memory
#endif
  int (*volatile with_one)(int) = (int (*)(int))first;
#ifdef MISSING
  with_one = (int (*)(int))second;
#endif
  int x = result(3), y = with_one(3);
  result(4);
  if (x != 3) //~[no_return no_return32] uninitialised
    return 1;
  if (y != 3) //~[missing missing32] uninitialised
    return 2;
  return data;
}
