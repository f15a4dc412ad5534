//@ verdict: safe
//@ native: run
#include <assert.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
  char buffer[32] = "abc", *copy = strdup("hello world");
  strcat(buffer, "def");
  assert(strcmp(buffer, "abcdef") == 0 && strlen(buffer) == 6);
  strncpy(buffer, "xyz", 8);
  assert(buffer[3] == 0 && buffer[7] == 0);
  assert(strchr(copy, 'w') == copy + 6 && strstr(copy, "lo w") == copy + 3 && strrchr(copy, 'o') == copy + 7);
  memmove(copy + 1, copy, 5);
  assert(strncmp(copy, "hhelloworld", 11) == 0);
  memset(copy, '-', 3);
  assert(memcmp(copy, "---lloworld", 12) == 0 && memchr(copy, 'l', 11) == copy + 3);
  free(copy);
  assert(atoi("-42x") == -42 && strtol("ff", 0, 16) == 255 && strcmp("a", "b") < 0);
  return 0;
}
