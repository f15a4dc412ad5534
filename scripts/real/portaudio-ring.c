// PortAudio's ring buffer (pa_ringbuffer.c) of four elements: a thread writes pairs, main reads elements in order.
#include <assert.h>
#include <pa_ringbuffer.h>
#include <pthread.h>

enum { PAIRS = 3 };
static PaUtilRingBuffer ring;
static int written;

static void *write_all(void *unused) {
  for (int i = 0; i < PAIRS; i++)
    if (PaUtil_GetRingBufferWriteAvailable(&ring) >= 2) {
      int pair[2] = {written, written + 1};
      assert(PaUtil_WriteRingBuffer(&ring, pair, 2) == 2);
      written += 2;
    }
  return 0;
}

int main(void) {
  int buffer[4], next = 0, value[1];
  assert(PaUtil_InitializeRingBuffer(&ring, sizeof(int), 4, buffer) == 0);
  pthread_t thread;
  pthread_create(&thread, 0, write_all, 0);
  for (int i = 0; i < 3; i++)
    if (PaUtil_ReadRingBuffer(&ring, value, 1) == 1)
      assert(value[0] == next++);
  pthread_join(thread, 0);
  while (PaUtil_ReadRingBuffer(&ring, value, 1) == 1)
    assert(value[0] == next++);
  assert(next == written);
}
