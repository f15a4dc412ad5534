//@ revisions: memcpy memmove
//@[memcpy] verdict: unsafe(memory)
//@[memmove] verdict: safe
//@[memmove] cflags: -Dmemcpy=memmove
//@[memmove] native: run
#include <string.h>

int main(void) {
  char text[] = "abcdef";
  volatile unsigned long n = 4;
  memcpy(text + 1, text, n); //~[memcpy] memory
  return strcmp(text, "aabcdf") == 0 ? 0 : 1;
}
