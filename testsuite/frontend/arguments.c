//@ verdict: safe
//@ argv: first -x 42
//@ native: run
#include <assert.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
  assert(argc == 4 && strcmp(argv[1], "first") == 0 && strcmp(argv[2], "-x") == 0 && atoi(argv[3]) == 42);
  assert(argv[4] == 0);
  return 0;
}
