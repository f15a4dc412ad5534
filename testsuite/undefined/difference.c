//@ revisions: odd whole
//@[odd] verdict: unsafe(uninitialised)
//@[odd] cflags: -DAT=3
//@[whole] verdict: safe
//@[whole] cflags: -DAT=8
//@[whole] native: run
// The difference of pointers is a division that leaves no remainder (sdiv exact): else it has no result.
static char bytes[16];

int main(void) {
  int *first = (int *)bytes;
  int *last = (int *)(bytes + AT);
  if (last - first == 2) //~[odd] uninitialised
    return 0;
  return 1;
}
