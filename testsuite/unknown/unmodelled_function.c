//@ revisions: reached not_reached
//@[reached] verdict: unknown(mystery)
//@[reached] cflags: -DREACHED=1
//@[not_reached] verdict: safe
//@[not_reached] cflags: -DREACHED=0
extern int mystery(int);

int main(void) {
  if (REACHED)
    return mystery(3);
  return 0;
}
