//@ verdict: safe
//@ cflags: -Wno-atomic-alignment
// Misaligned and 16-byte atomics, and the functions of libatomic by their own names.
#include <assert.h>

unsigned __atomic_load_4(const volatile void *, int);
void __atomic_store_4(volatile void *, unsigned, int);
unsigned __atomic_exchange_4(volatile void *, unsigned, int);
_Bool __atomic_compare_exchange_4(volatile void *, void *, unsigned, int, int);
unsigned short __atomic_fetch_sub_2(volatile void *, unsigned short, int);
unsigned char __atomic_nand_fetch_1(volatile void *, unsigned char, int);
unsigned long __atomic_or_fetch_8(volatile void *, unsigned long, int);

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

static void by_name(void) {
  unsigned word = 0, expected = 9;
  __atomic_store_4(&word, 7, __ATOMIC_RELEASE);
  assert(__atomic_load_4(&word, __ATOMIC_ACQUIRE) == 7);
  assert(__atomic_exchange_4(&word, 8, __ATOMIC_SEQ_CST) == 7);
  assert(!__atomic_compare_exchange_4(&word, &expected, 1, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST) && expected == 8);
  assert(__atomic_compare_exchange_4(&word, &expected, 1, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST) && word == 1);
  unsigned short half = 3;
  assert(__atomic_fetch_sub_2(&half, 5, __ATOMIC_RELAXED) == 3 && half == 0xfffe);
  unsigned char byte = 3;
  assert(__atomic_nand_fetch_1(&byte, 6, __ATOMIC_RELAXED) == 0xfd && byte == 0xfd);
  unsigned long large = 1ul << 40;
  assert(__atomic_or_fetch_8(&large, 1, __ATOMIC_RELAXED) == (1ul << 40 | 1));
}

int main(void) {
  by_name();
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
