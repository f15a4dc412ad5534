// c-blosc with two threads: 32 bytes in blocks of 16 are shuffled and compressed, and are the same when they come back.
#include <assert.h>
#include <blosc.h>
#include <string.h>

int main(void) {
  char in[256], out[256 + BLOSC_MAX_OVERHEAD], back[256];
  for (int i = 0; i < 256; i++)
    in[i] = (char)(i / 64);
  int size = blosc_compress_ctx(1, BLOSC_SHUFFLE, 2, sizeof in, in, out, sizeof out, "blosclz", 128, 2);
  assert(size > 0);
  assert(blosc_decompress_ctx(out, back, sizeof back, 2) == sizeof back);
  assert(!memcmp(in, back, sizeof in));
}
