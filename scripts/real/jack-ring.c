// JACK's ring buffer (ringbuffer.c) of eight bytes: a thread writes numbers of three bytes, so that one lies across the
// end, and main reads whole ones, in order.
#include <assert.h>
#include <jack/ringbuffer.h>
#include <pthread.h>

enum { NUMBERS = 4, SIZE = 3 };
static jack_ringbuffer_t *ring;

static void *write_all(void *unused) {
  int next = 0;
  for (int i = 0; i < NUMBERS; i++)
    if (jack_ringbuffer_write_space(ring) >= SIZE) {
      char bytes[SIZE] = {next, next, next};
      assert(jack_ringbuffer_write(ring, bytes, SIZE) == SIZE);
      next++;
    }
  return 0;
}

static int read_one(int next) {
  char bytes[SIZE];
  if (jack_ringbuffer_read_space(ring) < SIZE)
    return next;
  assert(jack_ringbuffer_read(ring, bytes, SIZE) == SIZE);
  for (int i = 0; i < SIZE; i++)
    assert(bytes[i] == next);
  return next + 1;
}

int main(void) {
  ring = jack_ringbuffer_create(8);
  pthread_t thread;
  pthread_create(&thread, 0, write_all, 0);
  int next = 0;
  for (int i = 0; i < NUMBERS; i++)
    next = read_one(next);
  pthread_join(thread, 0);
  for (int i = 0; i < NUMBERS; i++)
    next = read_one(next);
  assert(next >= 2 && jack_ringbuffer_read_space(ring) == 0);
  jack_ringbuffer_free(ring);
}
