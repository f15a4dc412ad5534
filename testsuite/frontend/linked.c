//@ verdict: safe
//@ also: linked_part.c
//@ native: run
// Two files; each has a static variable and function of the same name.
#include <assert.h>
extern int shared;
extern int next_of_part(void);
static int counter = 10;

static int next(void) {
  return ++counter;
}

int main(void) {
  assert(next() == 11 && next_of_part() == 101 && next() == 12 && next_of_part() == 102);
  assert(shared == 2);
  return 0;
}
