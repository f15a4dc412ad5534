//@ revisions: over within
//@[over] verdict: unsafe(memory)
//@[over] cflags: -DEXTRA=1
//@[within] verdict: safe
//@[within] cflags: -DEXTRA=0
//@[within] native: run

static int fill(int n) {
  int a[n];
  for (int i = 0; i < n + EXTRA; i++)
    a[i] = i; //~[over] memory
  return a[n - 1];
}

int main(void) {
  return fill(3) + fill(5) == 6 ? 0 : 1;
}
