// The wait-free queue of liburcu: two threads enqueue, main dequeues everything, and nothing is lost.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <urcu/wfcqueue.h>

struct item {
  int value;
  struct cds_wfcq_node node;
};

static struct cds_wfcq_head head;
static struct cds_wfcq_tail tail;
static struct item items[2] = {{.value = 1}, {.value = 2}};

static void *enqueue(void *item) {
  struct item *mine = item;
  cds_wfcq_node_init(&mine->node);
  cds_wfcq_enqueue(&head, &tail, &mine->node);
  return 0;
}

int main(void) {
  pthread_t threads[2];
  cds_wfcq_init(&head, &tail);
  for (int i = 0; i < 2; i++)
    pthread_create(&threads[i], 0, enqueue, &items[i]);
  for (int i = 0; i < 2; i++)
    pthread_join(threads[i], 0);
  int sum = 0;
  struct cds_wfcq_node *node;
  while ((node = cds_wfcq_dequeue_blocking(&head, &tail)))
    sum += caa_container_of(node, struct item, node)->value;
  assert(sum == 3);
  cds_wfcq_destroy(&head, &tail);
}
