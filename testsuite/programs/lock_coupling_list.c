//@ revisions: coupled
//@[coupled] verdict: safe
//@[coupled] native: run
//@ source: Bayer and Schkolnick 1977: the next lock is taken before the one in hand is given back
// A sorted list with a lock in each node; one thread removes a node that the other may be about to look at.
#include "../threads.h"
#include <stdlib.h>
struct node {
  pthread_mutex_t lock;
  struct node *next;
  int key;
};
static struct node head = {PTHREAD_MUTEX_INITIALIZER, 0, 0};

static void push(int key) {
  struct node *node = malloc(sizeof *node);
  pthread_mutex_init(&node->lock, 0);
  node->key = key;
  node->next = head.next;
  head.next = node;
}

static void *removes(void *arg) {
  pthread_mutex_lock(&head.lock);
  struct node *first = head.next;
  pthread_mutex_lock(&first->lock);
  head.next = first->next;
  pthread_mutex_unlock(&first->lock);
  pthread_mutex_unlock(&head.lock);
  free(first);
  return arg;
}

static void *looks(void *arg) {
  struct node *at = &head;
  pthread_mutex_lock(&at->lock);
  while (at->next && at->key < 2) {
    struct node *next = at->next;
#ifdef EARLY
    pthread_mutex_unlock(&at->lock);
    pthread_mutex_lock(&next->lock);
#else
    pthread_mutex_lock(&next->lock);
    pthread_mutex_unlock(&at->lock);
#endif
    at = next;
  }
  pthread_mutex_unlock(&at->lock);
  return arg;
}

int main(void) {
  push(2);
  push(1);
  run_all(2, (routine *const[]){removes, looks});
  free(head.next);
  return 0;
}
