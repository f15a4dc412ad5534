//@ revisions: right impatient silent
//@ verdict: safe
//@[impatient] verdict: unsafe(assertion)
//@[impatient] cflags: -DIMPATIENT
//@[silent] verdict: unsafe(deadlock)
//@[silent] cflags: -DSILENT
//@ source: a pipeline from the textbooks; PRODCONS(2) in table 2 of unfolding-based POR, 2015
//@ orders: 3
//@ cutoffs: needed
// Items go through two buffers and keep their order. Who does not wait for room overwrites an item; who takes one
// without a word leaves the sender asleep.
#include "../threads.h"
#include <assert.h>
struct buffer {
  pthread_mutex_t m;
  pthread_cond_t changed;
  int full, item;
};
static struct buffer first = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0, 0};
static struct buffer second = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0, 0};

static void put(struct buffer *b, int item) {
  pthread_mutex_lock(&b->m);
#ifndef IMPATIENT
  while (b->full)
    pthread_cond_wait(&b->changed, &b->m); //~[silent] deadlock
#endif
  b->item = item;
  b->full = 1;
  pthread_cond_signal(&b->changed);
  pthread_mutex_unlock(&b->m);
}

static int take(struct buffer *b) {
  pthread_mutex_lock(&b->m);
  while (!b->full)
    pthread_cond_wait(&b->changed, &b->m); //~[silent] deadlock
  int item = b->item;
  b->full = 0;
#ifndef SILENT
  pthread_cond_signal(&b->changed);
#endif
  pthread_mutex_unlock(&b->m);
  return item;
}

static void *producer(void *arg) {
  for (int item = 0;; item = !item)
    put(&first, item);
}

static void *mover(void *arg) {
  while (1)
    put(&second, take(&first));
}

static void *consumer(void *arg) {
  for (int next = 0;; next = !next) {
    int item = take(&second);
    assert(item == next); //~[impatient] assertion
  }
}

int main(void) {
  run_all(3, (routine *[]){producer, mover, consumer});
  return 0;
}
