//@ revisions: strange barrier
//@[strange] verdict: unknown(the inline assembly "rdpmc")
//@[strange] cflags: -DCODE="rdpmc"
//@[barrier] verdict: safe
//@[barrier] cflags: -DCODE=""
int main(void) {
  int x = 0;
  __asm__ volatile(CODE : "+a"(x) : : "ebx", "ecx", "edx", "memory");
  return 0;
}
