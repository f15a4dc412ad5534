//@ verdict: unsafe(memory)
#include <stdio.h>

int main(void) {
  FILE *file = fopen("name", "w");
  fclose(file);
  fputs("text", file); //~ memory
  return 0;
}
