//@ verdict: safe
//@ revisions: n1 n3
//@[n1] cflags: -DN=1
//@[n3] cflags: -DN=3
//@ awaits: 1
//@ cutoffs: needed
//@ source: nobody finds the queue empty any more when it goes on, and it was filled once
// Threads wait for a queue, which a function asks by means of others.
#include <pthread.h>
#include <stdatomic.h>
struct queue {
  atomic_int head, tail;
};
static struct queue queue;

static int look(atomic_int *end) {
  return atomic_load(end);
}

static int is_empty(struct queue *queue) {
  return look(&queue->head) == look(&queue->tail);
}

static void *waits(void *arg) {
  while (is_empty(arg))
    ;
  return 0;
}

int main(void) {
  pthread_t threads[N];
  for (int i = 0; i < N; i++)
    pthread_create(&threads[i], 0, waits, &queue);
  atomic_store(&queue.tail, 1);
  for (int i = 0; i < N; i++)
    pthread_join(threads[i], 0);
  return 0;
}
