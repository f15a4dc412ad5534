//@ revisions: constant array
//@[constant] verdict: unsafe(memory)
//@[array] verdict: safe
//@[array] cflags: -DDECLARED=text[]
//@[array] native: run
#ifndef DECLARED
#define DECLARED *text
#endif

int main(void) {
  char DECLARED = "constant";
  text[0] = 'C'; //~[constant] memory
  return text[0] == 'C' ? 0 : 1;
}
