// Functions of the program that are named like some of the library do not change the others.
//@ verdict: safe
//@ native: run
#include <assert.h>
#include <stdlib.h>

static int calls;
void qsort_r(int unused) { calls += unused; }

static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

int main(void) {
  int numbers[3] = {3, 1, 2};
  qsort(numbers, 3, sizeof *numbers, compare);
  assert(numbers[0] == 1 && numbers[2] == 3 && calls == 0);
  qsort_r(1);
  assert(calls == 1);
  return 0;
}
