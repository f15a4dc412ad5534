//@ revisions: safe broken
//@[safe] verdict: safe
//@[safe] executions: 3
//@[broken] verdict: unsafe(assertion)
//@[broken] cflags: -DBROKEN
//@ source: the write comes before the first read, between the two, or after the second: 3
// A thread that is created after another one was joined may have its number. It begins after its own creation, and not only
// after what the other one did.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int written;
static int seen[2];

static void *writes(void *argument) {
  atomic_store(&written, 1);
  return argument;
}

static void *reads(void *place) {
  *(int *)place = atomic_load(&written);
  return 0;
}

int main(void) {
  pthread_t writer, reader;
  pthread_create(&writer, 0, writes, 0);
  for (int i = 0; i < 2; i++) {
    pthread_create(&reader, 0, reads, &seen[i]);
    pthread_join(reader, 0);
  }
#ifdef BROKEN
  assert(seen[0] || !seen[1]); //~[broken] assertion
#else
  assert(!seen[0] || seen[1]);
#endif
  pthread_join(writer, 0);
  return 0;
}
