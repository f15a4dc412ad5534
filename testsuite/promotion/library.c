//@ verdict: unknown(is accessed as part of something that is not split into actions)
//@ args: --check assertion
// What a library function reads in one go is not split: no answer, but none that is wrong.
#include "../threads.h"
#include <stdio.h>
static char text[] = "abc";

static void *cut(void *arg) {
  text[1] = 0;
  return 0;
}

static void *print(void *arg) {
  puts(text);
  return 0;
}

int main(void) {
  run_all(2, (routine *[]){cut, print});
  return 0;
}
