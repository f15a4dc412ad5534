// Division with its rest, and the generators with 48 bits.
#include "library.h"

typedef struct { int quotient, rest; } Div;
typedef struct { long quotient, rest; } LongDiv;
typedef struct { long long quotient, rest; } LongLongDiv;

Div div(int a, int b) { return (Div){a / b, a % b}; }
LongDiv ldiv(long a, long b) { return (LongDiv){a / b, a % b}; }
LongLongDiv lldiv(long long a, long long b) { return (LongLongDiv){a / b, a % b}; }
LongLongDiv imaxdiv(intmax_t a, intmax_t b) { return (LongLongDiv){a / b, a % b}; }

// The state is one of plain variables, as in glibc: calls by two threads race.
static unsigned short state[3], last[3];
static uint64_t factor = 0x5deece66d;
static uint64_t summand = 0xb;

static uint64_t next(unsigned short words[3]) {
  uint64_t x = words[0] | (uint64_t)words[1] << 16 | (uint64_t)words[2] << 32;
  x = (x * factor + summand) & 0xffffffffffff;
  for (int i = 0; i < 3; i++)
    words[i] = (unsigned short)(x >> 16 * i);
  return x;
}

double erand48(unsigned short words[3]) { return (double)next(words) / (double)(1ull << 48); }
long nrand48(unsigned short words[3]) { return (long)(next(words) >> 17); }
long jrand48(unsigned short words[3]) { return (int32_t)(next(words) >> 16); }
double drand48(void) { return erand48(state); }
long lrand48(void) { return nrand48(state); }
long mrand48(void) { return jrand48(state); }

unsigned short *seed48(unsigned short words[3]) {
  for (int i = 0; i < 3; i++) {
    last[i] = state[i];
    state[i] = words[i];
  }
  factor = 0x5deece66d;
  summand = 0xb;
  return last;
}

void srand48(long seed) {
  unsigned short words[3] = {0x330e, (unsigned short)seed, (unsigned short)((uint32_t)seed >> 16)};
  seed48(words);
}

void lcong48(unsigned short words[7]) {
  seed48(words);
  factor = words[3] | (uint64_t)words[4] << 16 | (uint64_t)words[5] << 32;
  summand = words[6];
}
