//@ revisions: constant loop repaired
//@[constant] verdict: unsafe(memory)
//@[constant] cflags: -DCONSTANT -DEND=4
//@[loop] verdict: unsafe(memory)
//@[loop] cflags: -DEND=5
//@[repaired] verdict: safe
//@[repaired] cflags: -DEND=4
//@[repaired] native: run

int main(void) {
  int a[4];
  for (int i = 0; i < END; i++)
    a[i] = i; //~[loop] memory
#ifdef CONSTANT
  a[4] = 0; //~[constant] memory
#endif
  return a[3] == 3 ? 0 : 1;
}
