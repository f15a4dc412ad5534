//@ revisions: copy unterminated fits
//@[copy unterminated] verdict: unsafe(memory)
//@[copy] cflags: -DSIZE=5
//@[unterminated] cflags: -DSIZE=6 -DCUT
//@[fits] verdict: safe
//@[fits] cflags: -DSIZE=6
//@[fits] native: run
#include <stdlib.h>
#include <string.h>

int main(void) {
  char text[SIZE];
  strcpy(text, "hello"); //~[copy] memory
#ifdef CUT
  text[5] = '!';
#endif
  return strlen(text) == 5 ? 0 : 1; //~[unterminated] memory
}
