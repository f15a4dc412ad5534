//@ verdict: safe
//@ revisions: n1 n2 n3
//@[n1] cflags: -DN=1
//@[n2] cflags: -DN=2
//@[n3] cflags: -DN=3
//@ awaits: 1
//@ cutoffs: needed
//@ source: two writes, one after the other, for each of which everybody waits: 1
//@ native: run
// Threads wait for a flag in a variable of main, and then for one in a block of the heap.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
struct message {
  int data;
  atomic_int *go;
  atomic_int ready;
};

static void *reader(void *arg) {
  struct message *message = arg;
  atomic_int *go = message->go;
  while (!atomic_load(go))
    ;
  while (!atomic_load(&message->ready))
    ;
  assert(message->data == 1);
  return 0;
}

int main(void) {
  pthread_t threads[N];
  atomic_int go;
  struct message *message = malloc(sizeof *message);
  if (!message)
    return 0;
  atomic_init(&go, 0);
  atomic_init(&message->ready, 0);
  message->go = &go;
  for (int i = 0; i < N; i++)
    pthread_create(&threads[i], 0, reader, message);
  message->data = 1;
  atomic_store(&go, 1);
  atomic_store(&message->ready, 1);
  for (int i = 0; i < N; i++)
    pthread_join(threads[i], 0);
  free(message);
  return 0;
}
