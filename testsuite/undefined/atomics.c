//@ revisions: loaded added anded swapped_back kept kept32 added32
//@ verdict: unsafe(uninitialised)
//@[loaded] cflags: -DLOADED
//@[added added32] cflags: -DADDED
//@[anded] cflags: -DANDED
//@[swapped_back] cflags: -DSWAPPED
//@[added32 kept32] args: -m32
//@[kept kept32] verdict: safe
//@[kept] native: run
// Atomic accesses to memory that was never written: a load and an exchange hand that on, others compute with it.
#include <stdatomic.h>
#include <stdlib.h>

int main(void) {
  atomic_int *number = malloc(sizeof *number), *other = malloc(sizeof *other);
  int seen = atomic_load(number);
#ifdef LOADED
  if (seen == 1) //~[loaded] uninitialised
    return 1;
#endif
#ifdef ADDED
  atomic_fetch_add(number, 1); //~[added added32] uninitialised
#endif
#ifdef ANDED
  atomic_fetch_and(number, 1); //~[anded] uninitialised
#endif
  atomic_store(other, seen);
  int old = atomic_exchange(other, 3);
#ifdef SWAPPED
  if (old == 1) //~[swapped_back] uninitialised
    return 1;
#endif
  (void)old;
  atomic_exchange(number, 1);
  atomic_fetch_add(number, 1);
  int result = atomic_load(number) == 2 && atomic_load(other) == 3 ? 0 : 1;
  free(number), free(other);
  return result;
}
