//@ verdict: safe
//@ executions: 1
//@ source: one thread
//@ native: run
#include <assert.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

int main(void) {
  _Atomic uint8_t b = 250;
  atomic_uint u = 0xf0;
  _Atomic int64_t l = -1;
  _Atomic bool flag = false;
  int array[4] = {1, 2, 3, 4};
  int *_Atomic p = array;
  assert(atomic_fetch_add(&b, 10) == 250 && b == 4);
  assert(atomic_fetch_sub(&u, 0x10) == 0xf0 && u == 0xe0);
  assert(atomic_fetch_or(&u, 1) == 0xe0 && atomic_fetch_and(&u, 0x81) == 0xe1 && u == 0x81);
  assert(atomic_fetch_xor(&u, 0xff) == 0x81 && u == 0x7e);
  assert(atomic_exchange(&l, 5) == -1 && l-- == 5 && l == 4);
  assert(atomic_exchange(&flag, true) == false && flag);
  assert(*atomic_exchange(&p, array + 2) == 1 && *p == 3);
  int64_t expected = 3;
  assert(!atomic_compare_exchange_strong(&l, &expected, 9) && expected == 4);
  assert(atomic_compare_exchange_strong(&l, &expected, 9) && l == 9);
  assert(__atomic_fetch_nand(&array[0], 1, __ATOMIC_SEQ_CST) == 1 && array[0] == -2);
  assert(__sync_lock_test_and_set(&array[1], 7) == 2 && array[1] == 7);
  assert(__sync_bool_compare_and_swap(&array[1], 7, 8) && __sync_add_and_fetch(&array[1], 2) == 10);
  return 0;
}
