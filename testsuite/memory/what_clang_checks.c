//@ revisions: misaligned aligned index last null
//@ cflags: -fsanitize=alignment,bounds,null
//@ verdict: unsafe(memory)
//@[misaligned] cflags: -DDO=read_int(bytes+1)
//@[aligned] cflags: -DDO=read_int(bytes+4)
//@[aligned] verdict: safe
//@[index] cflags: -DDO=(pair.first[two]=1)
//@[last] cflags: -DDO=(pair.first[two-1]=1)
//@[last] verdict: safe
//@[null] cflags: -DDO=read_int(0)
//@ source: C17 6.3.2.3 paragraph 7, 6.5.6 paragraph 8
// What no access shows: alignment, the bounds of an array inside of a structure.
static struct {
  int first[2], second;
} pair;
static _Alignas(8) char bytes[16];

static int read_int(const char *at) {
  return *(const int *)at; //~[misaligned null] memory
}

int main(void) {
  volatile int two = 2;
  int result = DO; //~[index] memory
  (void)read_int, (void)pair;
  return result == 17 + two;
}
