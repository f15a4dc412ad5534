//@ verdict: safe
//@ native: run
//@ revisions: m64 m32
//@[m32] cflags: -m32
// Each instruction of the table in docs/semantics.md, as one thread sees it.
#include <assert.h>
#include <stdint.h>

static int word = 5;
static uint64_t wide = 0x100000002;

static int loads(void) {
  int x;
  __asm__ volatile("movl %1, %0" : "=r"(x) : "m"(word) : "memory");
  return x;
}

static int loads_by_address(int *p) {
  int x;
  __asm__ volatile("movl 4(%1), %0" : "=r"(x) : "r"(p) : "memory");
  return x;
}

static int adds(int v) {
  __asm__ volatile("lock; xaddl %0, %1" : "+r"(v), "+m"(word) : : "memory", "cc");
  return v;
}

static int is_last(int by) {
  unsigned char zero;
  __asm__ volatile("lock; subl %2, %0; setz %1" : "+m"(word), "=q"(zero) : "ir"(by) : "memory", "cc");
  return zero;
}

static int is_negative(int by) {
  int negative;
  __asm__ volatile("addl %2, %0" : "+m"(word), "=@ccs"(negative) : "ir"(by) : "memory");
  return negative;
}

static int exchanges(int v) {
  __asm__ volatile("xchgl %0, %1" : "+r"(v), "+m"(word) : : "memory");
  return v;
}

static int compares(int expected, int new) {
  unsigned char done;
  __asm__ volatile("lock\n\tcmpxchgl %3, %0\n\tsete %1" : "+m"(word), "=q"(done), "+a"(expected) : "r"(new) : "memory", "cc");
  return done ? -1 : expected;
}

static int compares_wide(uint64_t expected, uint64_t new) {
  unsigned char done;
  uint32_t low = (uint32_t)expected, high = (uint32_t)(expected >> 32);
  __asm__ volatile("lock; cmpxchg8b %1; sete %0"
                   : "=q"(done), "+m"(wide), "+a"(low), "+d"(high)
                   : "b"((uint32_t)new), "c"((uint32_t)(new >> 32))
                   : "memory", "cc");
  return done;
}

static int sets(int bit) {
  int was;
  __asm__ volatile("lock; btsl %2, %0; sbbl %1, %1" : "+m"(word), "=r"(was) : "Ir"(bit) : "memory", "cc");
  return was;
}

static int clears(int bit) {
  unsigned char was;
  __asm__ volatile("btrl %2, %0; setc %1" : "+m"(word), "=q"(was) : "Ir"(bit) : "memory", "cc");
  return was;
}

static void flips(int bit) { __asm__ volatile("lock; btcl %1, %0" : "+m"(word) : "r"(bit) : "memory", "cc"); }

int main(void) {
  int two[2] = {1, 2};
  assert(loads() == 5 && loads_by_address(two) == 2);
  assert(adds(3) == 5 && word == 8);
  assert(!is_last(6) && word == 2 && is_last(2) && word == 0);
  assert(is_negative(-1) && word == -1 && !is_negative(8) && word == 7);
  assert(exchanges(9) == 7 && word == 9);
  assert(compares(9, 4) == -1 && word == 4 && compares(9, 5) == 4 && word == 4);
  assert(compares_wide(0x100000002, 0x300000004) && wide == 0x300000004 && !compares_wide(1, 2) && wide == 0x300000004);
  assert(!sets(0) && word == 5 && sets(2) == -1 && word == 5);
  assert(clears(2) && word == 1 && !clears(3) && word == 1);
  flips(4);
  assert(word == 17);
  __asm__ volatile("lock; incl %0; decl %0; notl %0" : "+m"(word) : : "memory", "cc");
  assert(word == ~17);
  __asm__ volatile("lock; andl $15, %0" : "+m"(word) : : "memory", "cc");
  __asm__ volatile("orl %1, %0; lock; xorl $1, %0" : "+m"(word) : "r"(16) : "memory", "cc");
  assert(word == ((~17 & 15) | 16) - 1 + 2 * !(~17 & 1));
  __asm__ volatile("movl %1, %0" : "=m"(word) : "r"(77) : "memory");
  assert(word == 77);
  __asm__ volatile("mfence; lfence; sfence; pause; rep; nop" ::: "memory");
  unsigned low, high, before;
  __asm__ volatile("rdtsc" : "=a"(before), "=d"(high));
  __asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
  assert(low != before);
}
