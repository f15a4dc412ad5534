//@ verdict: safe
//@ native: run
#include <assert.h>
#include <stdint.h>
typedef unsigned __int128 u128;
typedef __int128 i128;

int main(void) {
  volatile uint64_t a = 0xfedcba9876543210u, b = 0x0123456789abcdefu;
  u128 product = (u128)a * b;
  assert((uint64_t)(product >> 64) == 0x0121fa00ad77d742u && (uint64_t)product == 0x2236d88fe5618cf0u);
  assert(product / b == a && product % b == 0 && (product + 1) % b == 1);
  i128 negative = -(i128)5;
  assert(negative / 2 == -2 && negative % 2 == -1 && negative >> 1 == -3 && negative < 0);
  assert((u128)negative >> 127 == 1 && (int)negative == -5);
  u128 one = 1;
  assert((one << 100) >> 99 == 2 && (one << 64) - 1 == UINT64_MAX);
  return 0;
}
