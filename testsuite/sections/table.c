//@ verdict: safe
//@ revisions: own shared all
//@[own] cflags: -DK=5 -DM=5
//@[own] executions: 1
//@[shared] cflags: -DK=5 -DM=2
//@[shared] executions: 12
//@[all] cflags: -DK=4 -DM=1
//@[all] executions: 24
//@ naive: no
//@ source: a hash table under one lock, K threads, M buckets: sections on one bucket come in every order, (3! · 2!) for 5 threads on 2 buckets
#include <assert.h>
#include <pthread.h>

struct bucket { int keys[8]; int used; };
static struct bucket table[M];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void insert(int key) {
  struct bucket *bucket = &table[key % M];
  pthread_mutex_lock(&lock);
  bucket->keys[bucket->used++] = key;
  pthread_mutex_unlock(&lock);
}

static void *work(void *arg) {
  insert((int)(long)arg);
  return 0;
}

int main(void) {
  pthread_t threads[K];
  for (long i = 0; i < K; i++)
    pthread_create(&threads[i], 0, work, (void *)i);
  for (int i = 0; i < K; i++)
    pthread_join(threads[i], 0);
  int all = 0;
  for (int i = 0; i < M; i++)
    all += table[i].used;
  assert(all == K);
  return 0;
}
