//@ revisions: fixed short broken given
//@[fixed broken given] args: --symbolic-args 1x3
//@[fixed] verdict: safe
//@[short] verdict: safe
//@[short] args: --symbolic-args 1x2
//@[short] cflags: -DBROKEN
//@[broken] verdict: unsafe(assertion)
//@[broken] cflags: -DBROKEN
//@[given] verdict: unsafe(assertion)
//@[given] argv: -
//@[given] cflags: -DGIVEN
// The arguments of main may be anything: up to one, of up to three bytes. BROKEN: exactly "-l9" fails, which is too long for
// `short`. GIVEN: the argument that is given comes first; the open one fails if it is "+".
#include <assert.h>
#include <string.h>

static int level = 1;

static void parse(const char *word) {
  if (word[0] != '-' || word[1] != 'l')
    return;
  if (word[2] >= '0' && word[2] <= '9')
    level = word[2] - '0';
#ifndef BROKEN
  if (level > 8)
    level = 8;
#endif
}

int main(int argc, char **argv) {
  assert(argc >= 1 && argc <= 3 && !argv[argc]);
#ifdef GIVEN
  assert(argc >= 2 && argv[1][0] == '-' && !argv[1][1]);
  assert(argc == 2 || argv[2][0] != '+' || argv[2][1]); //~[given] assertion
#endif
  for (int i = 1; i < argc; i++)
    parse(argv[i]);
  assert(level <= 8); //~[broken] assertion
  return level;
}
