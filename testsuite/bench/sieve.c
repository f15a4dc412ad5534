// The sieve of Eratosthenes: byte stores at a stride.
#include <assert.h>
#define N 2000000
static unsigned char composite[N];

int main(void) {
  int count = 0;
  for (int i = 2; i < N; i++) {
    if (composite[i])
      continue;
    count++;
    for (long j = (long)i * i; j < N; j += i)
      composite[j] = 1;
  }
  assert(count == 148933); // the primes below two million
  return 0;
}
