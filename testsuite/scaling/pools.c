//@ verdict: safe
//@ revisions: two three rounds
//@[two] cflags: -DN=2 -DROUNDS=1
//@[two] executions: 6
//@[two] observers: 6
//@[three] cflags: -DN=3 -DROUNDS=1
//@[three] executions: 90
//@[three] observers: 90
//@[rounds] cflags: -DN=2 -DROUNDS=3
//@[rounds] executions: 924
//@[rounds] observers: 924
//@[three rounds] naive: no
//@ source: (2rn)! / (2r)!^n, the merges of n sequences of 2r critical sections; observers: what is written in a section is read in the next one, so they change nothing
//@ orders: 2
//@ native: run
#include "../threads.h"
#include <assert.h>
#include <stdlib.h>
#include <string.h>
// Memory pools that are freed as a whole. Pools lie in pools: whoever makes or destroys one takes the lock of that around it,
// and what a thread does with its own needs none.
struct block {
  struct block *next;
  size_t used;
  char bytes[64];
};

struct pool {
  pthread_mutex_t lock;
  struct pool *parent, *child, *sibling, **place;
  struct block *blocks;
};

static struct pool root = {.lock = PTHREAD_MUTEX_INITIALIZER};

static struct pool *create(struct pool *parent) {
  struct pool *pool = calloc(1, sizeof *pool);
  pthread_mutex_init(&pool->lock, 0);
  pool->parent = parent;
  pthread_mutex_lock(&parent->lock);
  pool->sibling = parent->child;
  if (pool->sibling)
    pool->sibling->place = &pool->sibling;
  parent->child = pool;
  pool->place = &parent->child;
  pthread_mutex_unlock(&parent->lock);
  return pool;
}

static void *allocate(struct pool *pool, size_t size) {
  struct block *block = pool->blocks;
  if (!block || block->used + size > sizeof block->bytes) {
    block = calloc(1, sizeof *block);
    block->next = pool->blocks;
    pool->blocks = block;
  }
  block->used += size;
  return block->bytes + block->used - size;
}

static void destroy(struct pool *pool) {
  pthread_mutex_lock(&pool->parent->lock);
  *pool->place = pool->sibling;
  if (pool->sibling)
    pool->sibling->place = pool->place;
  pthread_mutex_unlock(&pool->parent->lock);
  while (pool->blocks) {
    struct block *next = pool->blocks->next;
    free(pool->blocks);
    pool->blocks = next;
  }
  pthread_mutex_destroy(&pool->lock);
  free(pool);
}

static void *use(void *arg) {
  for (int round = 0; round < ROUNDS; round++) {
    struct pool *pool = create(&root);
    char *text[4];
    for (int i = 0; i < 4; i++)
      text[i] = strcpy(allocate(pool, 24), "a text of 22 letters..");
    for (int i = 1; i < 4; i++)
      assert(strcmp(text[i - 1], text[i]) == 0);
    destroy(pool);
  }
  return 0;
}

int main(void) {
  run_copies(N, use);
  assert(!root.child);
  return 0;
}
