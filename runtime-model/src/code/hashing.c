// What libstdc++ keeps compiled of std::unordered_map and std::unordered_set: hash values of bytes, and how many
// buckets there are.
#include "library.h"

#if __SIZEOF_POINTER__ == 8
// The function MurmurHash64A, with which the values are those of libstdc++.
static uint64_t fold(uint64_t value) { return value ^ value >> 47; }
static uint64_t read(const unsigned char *bytes, size_t count) {
  uint64_t value = 0;
  for (size_t i = count; i > 0; i--)
    value = value << 8 | bytes[i - 1];
  return value;
}
size_t _ZSt11_Hash_bytesPKvmm(const void *from, size_t size, size_t seed) {
  const uint64_t factor = 0xc6a4a7935bd1e995;
  const unsigned char *bytes = from;
  uint64_t hash = seed ^ size * factor;
  for (; size >= 8; size -= 8, bytes += 8)
    hash = (hash ^ fold(read(bytes, 8) * factor) * factor) * factor;
  if (size > 0)
    hash = (hash ^ read(bytes, size)) * factor;
  return fold(fold(hash) * factor);
}
#define NEED _ZNKSt8__detail20_Prime_rehash_policy14_M_need_rehashEmmm
#define NEXT _ZNKSt8__detail20_Prime_rehash_policy11_M_next_bktEm
#else
// The values are not those of libstdc++.
size_t _ZSt11_Hash_bytesPKvjj(const void *from, size_t size, size_t seed) {
  const unsigned char *bytes = from;
  size_t hash = seed;
  for (size_t i = 0; i < size; i++)
    hash = (hash ^ bytes[i]) * 16777619;
  return hash;
}
#define NEED _ZNKSt8__detail20_Prime_rehash_policy14_M_need_rehashEjjj
#define NEXT _ZNKSt8__detail20_Prime_rehash_policy11_M_next_bktEj
#endif

// How full buckets may be, and with how many elements there will be more buckets.
typedef struct {
  float fullest;
  size_t next_resize;
} Policy;

static int is_prime(size_t number) {
  for (size_t factor = 2; factor <= number / factor; factor++)
    if (number % factor == 0)
      return 0;
  return 1;
}

// The number of buckets, at least `wanted`: a prime. Up to 167, and where their number doubles up to 257,
// it is the prime that libstdc++ has.
size_t NEXT(Policy *self, size_t wanted) {
  if (wanted == 0)
    return 1;
  size_t buckets = wanted < 2 ? 2 : wanted;
  while (!is_prime(buckets) || buckets == 101 || buckets == 107 || buckets == 131 || buckets == 151 || buckets == 163)
    buckets++;
  self->next_resize = (size_t)((float)buckets * self->fullest);
  return buckets;
}

// Whether there must be more buckets for so many elements more, and how many then.
typedef struct {
  _Bool needed;
  size_t buckets;
} Rehash;
Rehash NEED(Policy *self, size_t buckets, size_t elements, size_t more) {
  if (elements + more <= self->next_resize)
    return (Rehash){0, 0};
  size_t all = elements + more;
  if (self->next_resize == 0 && all < 11)
    all = 11;
  double least = (double)all / (double)self->fullest;
  if (least < (double)buckets) {
    self->next_resize = (size_t)((double)buckets * (double)self->fullest);
    return (Rehash){0, 0};
  }
  size_t wanted = (size_t)least + 1;
  return (Rehash){1, NEXT(self, wanted > 2 * buckets ? wanted : 2 * buckets)};
}
