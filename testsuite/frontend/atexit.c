//@ revisions: plain shown
//@[plain] verdict: safe
//@[plain] native: run
//@[shown] verdict: unsafe(abort)
//@[shown] cflags: -DFAIL
//@[shown] output: two one
#include <stdio.h>
#include <stdlib.h>

static void one(void) {
  printf("one\n");
#ifdef FAIL
  abort(); //~[shown] abort
#endif
}

static void two(void) {
  printf("two ");
}

int main(void) {
  atexit(one);
  atexit(two);
  return 0;
}
