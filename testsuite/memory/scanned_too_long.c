//@ verdict: unsafe(memory)
#include <stdio.h>

int main(void) {
  char word[4];
  return sscanf("longer", "%s", word); //~ memory
}
