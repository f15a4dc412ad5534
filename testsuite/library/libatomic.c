//@ verdict: safe
//@ cflags: -Wno-atomic-alignment
// Atomics that clang does not turn into instructions: accesses that it takes for misaligned, and 16 bytes.
#include <assert.h>

struct packed {
  char pad;
  int value;
} __attribute__((packed));

struct pair {
  long first, second;
};

static struct packed packed;
static struct pair pair;
static __int128 wide;

int main(void) {
  int old = 5, result;
  __atomic_store_n(&packed.value, 5, __ATOMIC_RELEASE);
  assert(__atomic_load_n(&packed.value, __ATOMIC_ACQUIRE) == 5);
  assert(__atomic_fetch_add(&packed.value, 2, __ATOMIC_RELAXED) == 5);
  assert(__atomic_add_fetch(&packed.value, 3, __ATOMIC_SEQ_CST) == 10);
  assert(!__atomic_compare_exchange_n(&packed.value, &old, 1, 0, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED));
  assert(old == 10);
  assert(__atomic_compare_exchange_n(&packed.value, &old, 1, 0, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED));
  __atomic_load(&packed.value, &result, __ATOMIC_SEQ_CST);
  assert(result == 1 && packed.pad == 0);

  struct pair one = {1, 2}, two = {3, 4}, found;
  __atomic_store(&pair, &one, __ATOMIC_SEQ_CST);
  __atomic_exchange(&pair, &two, &found, __ATOMIC_ACQ_REL);
  assert(found.first == 1 && found.second == 2);
  found.second = 0;
  assert(!__atomic_compare_exchange(&pair, &found, &one, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));
  assert(found.first == 3 && found.second == 4);
  assert(__atomic_compare_exchange(&pair, &found, &one, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));

  __int128 big = (__int128)1 << 100;
  __atomic_store_n(&wide, big, __ATOMIC_SEQ_CST);
  assert(__atomic_fetch_add(&wide, 5, __ATOMIC_SEQ_CST) == big);
  assert(__atomic_load_n(&wide, __ATOMIC_SEQ_CST) == big + 5);
  assert(__atomic_is_lock_free(4, 0));
  return 0;
}
