//@ verdict: safe
//@ native: run
//@ revisions: m64 m32 fortified
//@[m32] cflags: -m32
//@[fortified] cflags: -O1 -D_FORTIFY_SOURCE=2
#define _GNU_SOURCE
#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static int sign(int x) { return (x > 0) - (x < 0); }

static void copies(void) {
  char b[16], *p;
  assert(strcpy(b, "hello") == b && strlen(b) == 5);
  assert(stpcpy(b, "abc") == b + 3);
  assert(strcat(b, "def") == b && !strcmp(b, "abcdef"));
  assert(strncat(b, "xyz", 2) == b && !strcmp(b, "abcdefxy"));
  memset(b, '#', sizeof b);
  strncpy(b, "ab", 5);
  assert(!memcmp(b, "ab\0\0\0##", 7));
  strncpy(b, "abcdef", 3);
  assert(!memcmp(b, "abc\0\0##", 7));
  assert(mempcpy(b, "12345", 5) == b + 5);
  assert(memmove(b + 1, b, 5) == b + 1 && !memcmp(b, "112345", 6));
  assert(memccpy(b, "one two", ' ', 7) == b + 4);
  p = strdup("copy");
  assert(!strcmp(p, "copy"));
  free(p);
  p = strndup("copy", 2);
  assert(!strcmp(p, "co"));
  free(p);
}

static void comparisons(void) {
  assert(sign(strcmp("abc", "abd")) == -1 && strcmp("x", "x") == 0);
  assert(sign(strcmp("\xff", "a")) == 1);
  assert(strncmp("abcx", "abcy", 3) == 0 && sign(strncmp("b", "a", 9)) == 1);
  assert(strcasecmp("HeLLo", "hEllO") == 0 && strncasecmp("ABx", "aby", 2) == 0);
  assert(sign(memcmp("a\0b", "a\0c", 3)) == -1 && bcmp("ab", "ab", 2) == 0);
}

static void searches(void) {
  const char *s = "a=b=c";
  assert(strchr(s, '=') == s + 1 && strrchr(s, '=') == s + 3);
  assert(strchr(s, 'x') == NULL && strchr(s, 0) == s + 5);
  assert(strchrnul(s, 'x') == s + 5);
  assert(memchr(s, 'b', 5) == s + 2 && memchr(s, 'b', 2) == NULL);
  assert(memrchr(s, '=', 5) == s + 3);
  assert(strstr(s, "b=") == s + 2 && strstr(s, "bc") == NULL && strstr(s, "") == s);
  assert(strcasestr(s, "B=C") == s + 2);
  assert(strspn(s, "=a") == 2 && strcspn(s, "cb") == 2);
  assert(strpbrk(s, "cb") == s + 2 && strpbrk(s, "xyz") == NULL);
  assert(memmem(s, 5, "=c", 2) == s + 3);
  assert(strnlen(s, 3) == 3 && strnlen(s, 30) == 5);
}

static void tokens(void) {
  char text[] = "  one two ", list[] = "x,,y", *state, *rest = list;
  assert(!strcmp(strtok_r(text, " ", &state), "one"));
  assert(!strcmp(strtok_r(NULL, " ", &state), "two"));
  assert(strtok_r(NULL, " ", &state) == NULL);
  assert(!strcmp(strsep(&rest, ","), "x") && !strcmp(strsep(&rest, ","), ""));
  assert(!strcmp(strsep(&rest, ","), "y") && strsep(&rest, ",") == NULL);
  char other[] = "p-q";
  assert(!strcmp(strtok(other, "-"), "p") && !strcmp(strtok(NULL, "-"), "q"));
  assert(strtok(NULL, "-") == NULL);
}

int main(void) {
  copies();
  comparisons();
  searches();
  tokens();
  assert(!strcmp(strerror(2), "No such file or directory"));
  return 0;
}
