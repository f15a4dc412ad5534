//@ revisions: null pointer
//@ cflags: -fsanitize=nonnull-attribute
//@ verdict: unsafe(misuse)
//@[null] cflags: -DWHAT=0
//@[pointer] cflags: -DWHAT="x"
//@[pointer] verdict: safe
// The function is declared never to get null; clang's own check sees that it does.
__attribute__((nonnull, noinline)) static int first(const char *at) { return at != 0; }

int main(void) {
  const char *x = __FILE__;
  (void)x;
  return first(WHAT) == 12345; //~[null] misuse
}
