//@ verdict: safe
//@ native: run
// The sign bits of sixteen bytes in one number (pmovmskb), as code for SSE2 compares strings with it.
#include <assert.h>
#include <emmintrin.h>

int main(void) {
  const char *one = "the same at first", *other = "the same, in parts";
  __m128i a = _mm_loadu_si128((const __m128i *)one), b = _mm_loadu_si128((const __m128i *)other);
  int equal = _mm_movemask_epi8(_mm_cmpeq_epi8(a, b));
  assert((equal & 0xff) == 0xff && !(equal & 0x100) && equal < 0x10000);
  unsigned char bytes[16] = {0x80, 0x7f, 0xff, [15] = 0x80};
  assert(_mm_movemask_epi8(_mm_loadu_si128((const __m128i *)bytes)) == 0x8005);
  return 0;
}
