// liblzma's encoder with threads (stream_encoder_mt.c): two threads, two blocks of four bytes, and what comes out is
// decompressed again and is what went in.
#include <assert.h>
#include <lzma.h>
#include <string.h>

int main(void) {
  const uint8_t in[8] = "abcdefgh";
  static uint8_t out[4096], back[8];
  lzma_options_lzma lzma;
  assert(!lzma_lzma_preset(&lzma, 0));
  lzma.dict_size = LZMA_DICT_SIZE_MIN;
  lzma_filter filters[] = {{LZMA_FILTER_LZMA2, &lzma}, {LZMA_VLI_UNKNOWN, 0}};
  lzma_mt options = {.threads = 2, .block_size = 4, .filters = filters, .check = LZMA_CHECK_CRC32};
  lzma_stream stream = LZMA_STREAM_INIT;
  assert(lzma_stream_encoder_mt(&stream, &options) == LZMA_OK);
  stream.next_in = in;
  stream.avail_in = sizeof in;
  stream.next_out = out;
  stream.avail_out = sizeof out;
  lzma_ret result;
  while ((result = lzma_code(&stream, LZMA_FINISH)) == LZMA_OK) {
  }
  assert(result == LZMA_STREAM_END);
  lzma_end(&stream);
  uint64_t limit = UINT64_MAX;
  size_t from = 0, to = 0;
  assert(lzma_stream_buffer_decode(&limit, 0, NULL, out, &from, stream.total_out, back, &to, sizeof back) == LZMA_OK);
  assert(to == sizeof in && !memcmp(in, back, sizeof in));
}
