// One thread that makes a million atomic accesses.
#include <stdatomic.h>
static atomic_int x;

int main(void) {
  for (int i = 0; i < 1000000; i++)
    atomic_fetch_add(&x, 1);
  return x != 1000000;
}
