// A checksum over everything that a test computes, compared with what the same program gives natively.
#include <assert.h>
#include <stddef.h>
#include <stdint.h>
#include <stdarg.h>

static uint32_t sum = 1;
static uint32_t state = 12345;

static void mix(uint64_t x) {
  sum = (sum ^ (uint32_t)x) * 16777619u;
  sum = (sum ^ (uint32_t)(x >> 32)) * 16777619u;
  sum ^= sum >> 15;
}
static inline void mix_double(double d) {
  union {
    double d;
    uint64_t bits;
  } u = {d};
  mix(u.bits);
}
static inline void mix_float(float f) {
  union {
    float f;
    uint32_t bits;
  } u = {f};
  mix(u.bits);
}
static inline uint32_t rnd(void) {
  state ^= state << 13;
  state ^= state >> 17;
  state ^= state << 5;
  return state;
}

static void test(int round);

int main(void) {
  for (int i = 0; i < 5; i++)
    test(i);
#ifdef PRINT
  __builtin_printf("%u\n", sum);
#else
  assert(sum == EXPECTED);
#endif
  return 0;
}
