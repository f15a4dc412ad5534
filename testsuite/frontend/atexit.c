//@ verdict: safe
//@ output: two one
//@ native: run
#include <stdio.h>
#include <stdlib.h>

static void one(void) {
  printf("one\n");
}

static void two(void) {
  printf("two ");
}

int main(void) {
  atexit(one);
  atexit(two);
  return 0;
}
