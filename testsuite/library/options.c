//@ verdict: safe
//@ native: run
//@ revisions: m64 m32
//@[m32] cflags: -m32
//@ argv: -a one -b5 -ca --long=x two --flag --value y -- -z
#define _GNU_SOURCE
#include <assert.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char *argv[]) {
  static int flag;
  static const struct option options[] = {
      {"long", required_argument, NULL, 'l'}, {"flag", no_argument, &flag, 7}, {"value", required_argument, NULL, 'v'}, {0}};
  char seen[100] = "";
  int option, index = -1;
  while ((option = getopt_long(argc, argv, "ab:c", options, &index)) != -1) {
    char letter[2] = {(char)(option ? option : '0')};
    strcat(seen, letter);
    if (optarg)
      strcat(seen, optarg);
  }
  assert(!strcmp(seen, "ab5calx0vy"));
  assert(flag == 7 && argc - optind == 3 && !strcmp(argv[optind], "one") && !strcmp(argv[optind + 2], "-z"));

  char *few[] = {"p", "-x", "-b", NULL};
  optind = 1;
  opterr = 0;
  assert(getopt(3, few, "b:") == '?' && optopt == 'x' && getopt(3, few, "b:") == '?' && optopt == 'b');
  assert(getopt(3, few, "b:") == -1 && optind == 3);
  return 0;
}
