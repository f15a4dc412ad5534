// Random bytes are a fixed sequence, of which each thread has its own.
#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

// The generator xorshift32.
static uint32_t next(void) {
  static _Thread_local uint32_t state = 2463534242;
  state ^= state << 13;
  state ^= state >> 17;
  state ^= state << 5;
  return state;
}

void arc4random_buf(void *to, size_t size) {
  for (size_t i = 0; i < size; i++)
    ((unsigned char *)to)[i] = (unsigned char)next();
}
uint32_t arc4random(void) { return next(); }
uint32_t arc4random_uniform(uint32_t below) { return below ? next() % below : 0; }
ssize_t getrandom(void *to, size_t size, unsigned flags) { return (void)flags, arc4random_buf(to, size), (ssize_t)size; }
int getentropy(void *to, size_t size) {
  if (size > 256) {
    errno = EIO;
    return -1;
  }
  return arc4random_buf(to, size), 0;
}
