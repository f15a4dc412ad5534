//@ revisions: local static
//@[local] verdict: unsafe(memory)
//@[local] cflags: -DSTORAGE=
//@[static] verdict: safe
//@[static] cflags: -DSTORAGE=static
//@[static] native: run
static int *kept;

static void keep(void) {
  STORAGE int x = 3;
  kept = &x;
}

int main(void) {
  keep();
  return *kept == 3 ? 0 : 1; //~[local] memory
}
