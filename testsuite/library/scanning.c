//@ verdict: safe
//@ native: run
//@ revisions: m64 m32 c99
//@[m32] cflags: -m32
//@[c99] cflags: -std=c99 -D_GNU_SOURCE
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
  int a = 0, b = 0, n = -1;
  unsigned u = 0;
  short h = 0;
  signed char c = 0;
  long l = 0;
  long long q = 0;
  float f = 0;
  double d = 0;
  char word[8], set[8], two[3] = "";
  assert(sscanf("12 -7 0x1f", "%d%d %x", &a, &b, &u) == 3 && a == 12 && b == -7 && u == 31);
  assert(sscanf("010 0x10 10", "%i %i %i", &a, &b, &n) == 3 && a == 8 && b == 16 && n == 10);
  assert(sscanf("17:+8", "%o:%d%n", &u, &b, &n) == 2 && u == 15 && b == 8 && n == 5);
  assert(sscanf("1 2 3 4", "%hd%hhd%ld%lld", &h, &c, &l, &q) == 4 && h == 1 && c == 2 && l == 3 && q == 4);
  assert(sscanf("1.5 -2e3", "%f%lf", &f, &d) == 2 && f == 1.5f && d == -2000);
  assert(sscanf("  word,next", "%7[^,],%2c", word, two) == 2 && !strcmp(word, "  word") && !strcmp(two, "ne"));
  assert(sscanf("abc123", "%[a-z]%s", set, word) == 2 && !strcmp(set, "abc") && !strcmp(word, "123"));
  assert(sscanf("abcdef", "%3s%*c%s", word, set) == 2 && !strcmp(word, "abc") && !strcmp(set, "ef"));
  assert(sscanf("12345", "%2d%3d", &a, &b) == 2 && a == 12 && b == 345);
  assert(sscanf("x", "%d", &a) == 0 && sscanf("", "%d", &a) == EOF && sscanf("  ", "%d", &a) == EOF);
  assert(sscanf("5", "%d%d", &a, &b) == 1 && sscanf("5%", "%d%%", &a) == 1 && sscanf("-", "%d", &a) == 0);
  char *fresh;
  assert(sscanf("fresh rest", "%ms", &fresh) == 1 && !strcmp(fresh, "fresh"));
  free(fresh);
  return 0;
}
