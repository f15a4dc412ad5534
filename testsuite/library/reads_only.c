//@ verdict: safe
//@ executions: 1
//@ source: nothing is given to read
// Nothing but reading from the standard input, which takes the code of files.
#include <assert.h>
#include <stdio.h>

int main(void) {
  char line[8];
  int number;
  assert(getchar() == EOF);
  assert(scanf("%d", &number) == EOF);
  assert(!fgets(line, sizeof line, stdin));
  return 0;
}
