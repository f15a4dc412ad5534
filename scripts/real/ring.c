// The ring buffer of Concurrency Kit: one producer, one consumer; what comes out is what went in, in order.
#include <assert.h>
#include <ck_ring.h>
#include <pthread.h>

static ck_ring_t ring;
static ck_ring_buffer_t buffer[4];
static int items[2] = {1, 2};

static void *produce(void *argument) {
  for (int i = 0; i < 2; i++)
    assert(ck_ring_enqueue_spsc(&ring, buffer, &items[i]));
  return argument;
}

int main(void) {
  pthread_t thread;
  ck_ring_init(&ring, 4);
  pthread_create(&thread, 0, produce, 0);
  int last = 0;
  void *item;
  for (int i = 0; i < 2; i++)
    if (ck_ring_dequeue_spsc(&ring, buffer, &item)) {
      assert(*(int *)item == last + 1);
      last++;
    }
  pthread_join(thread, 0);
  assert(ck_ring_size(&ring) == 2 - (unsigned)last);
}
