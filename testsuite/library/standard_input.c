// Standard input is empty unless --stdin gives one; a file of the host is there only if --file names it.
//@ verdict: safe
//@ revisions: empty given
//@[given] args: --stdin testsuite/library/standard_input.c --file copy=testsuite/library/standard_input.c
//@[given] cflags: -DGIVEN
#include <assert.h>
#include <stdio.h>
#include <string.h>

int main(void) {
  char line[200], again[200];
  FILE *copy = fopen("copy", "r");
#ifdef GIVEN
  assert(getchar() == '/' && fgets(line, sizeof line, stdin) && strstr(line, "Standard input is empty"));
  int character;
  assert(scanf(" //@ verdict: %199s", line) == 1 && !strcmp(line, "safe"));
  assert(copy && fgets(again, sizeof again, copy) && strstr(again, "Standard input is empty"));
  while ((character = getchar()) != EOF)
    ;
  assert(feof(stdin) && fclose(copy) == 0);
#else
  assert(!copy && getchar() == EOF && feof(stdin) && !fgets(line, sizeof line, stdin) && scanf("%s", again) == EOF);
#endif
  return 0;
}
