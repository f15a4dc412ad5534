//@ revisions: zero negative one
//@ verdict: unsafe(memory)
//@[zero] cflags: -DSIZE=0
//@[negative] cflags: -DSIZE=-3
//@[one] cflags: -DSIZE=1
//@[one] verdict: safe
//@ cflags: -fsanitize=vla-bound
//@ source: C17 6.7.6.2 paragraph 5: each time it is evaluated it shall have a value greater than zero
// clang's own check says so; without the option only a size that cannot be had is noticed.
int main(void) {
  volatile int size = SIZE;
  char array[size]; //~[zero negative] memory
  return sizeof array == 5;
}
