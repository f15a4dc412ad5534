//@ verdict: safe
//@ native: run
//@ revisions: m64 m32
//@[m32] cflags: -m32
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

extern char **environ;

int main(void) {
  assert(!getenv("A_NAME") && setenv("A_NAME", "one", 0) == 0 && !strcmp(getenv("A_NAME"), "one"));
  assert(setenv("A_NAME", "two", 0) == 0 && !strcmp(getenv("A_NAME"), "one"));
  assert(setenv("A_NAME", "two", 1) == 0 && !strcmp(getenv("A_NAME"), "two"));
  static char text[] = "OTHER=x";
  assert(putenv(text) == 0);
  text[6] = 'y';
  assert(!strcmp(getenv("OTHER"), "y") && !strcmp(secure_getenv("OTHER"), "y"));
  assert(unsetenv("A_NAME") == 0 && !getenv("A_NAME") && getenv("OTHER"));
  assert(setenv("A=B", "", 1) == -1 && errno == EINVAL && unsetenv("") == -1);
  int found = 0;
  for (char **p = environ; *p; p++)
    found += *p == text;
  assert(found == 1);
  assert(clearenv() == 0 && !environ && !getenv("OTHER"));
  assert(setenv("NEW", "", 1) == 0 && !*getenv("NEW"));
  static char own_text[] = "OWN=1", *own[] = {own_text, 0};
  environ = own;
  assert(setenv("NEW", "2", 1) == 0 && !strcmp(getenv("NEW"), "2") && !strcmp(getenv("OWN"), "1") && !own[1]);
  return 0;
}
