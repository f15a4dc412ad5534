//@ verdict: safe
//@ args: --check assertion,memory
//@ executions: 9
//@ promoted: 2
//@ source: per block WaWb beside RbRa: three orders, for b is not read late without a being so; two blocks
//@ orders: 2
// Blocks that are allocated at one place of the program are promoted together, member by member.
#include "../threads.h"
#include <assert.h>
#include <stdlib.h>
struct pair {
  long unshared;
  int a, b;
};
static struct pair *pairs[2];

static void *writer(void *arg) {
  for (int i = 0; i < 2; i++) {
    pairs[i]->a = 1;
    pairs[i]->b = 1;
  }
  return 0;
}

static void *reader(void *arg) {
  for (int i = 0; i < 2; i++) {
    int b = pairs[i]->b;
    assert(pairs[i]->a >= b);
  }
  return 0;
}

int main(void) {
  for (int i = 0; i < 2; i++)
    pairs[i] = calloc(1, sizeof *pairs[i]);
  run_all(2, (routine *[]){writer, reader});
  for (int i = 0; i < 2; i++)
    free(pairs[i]);
  return 0;
}
