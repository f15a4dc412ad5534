//@ revisions: safe broken
//@ slow: naive
//@[safe] verdict: safe
//@[broken] verdict: unsafe(memory)
//@[broken] cflags: -DBROKEN
// A bounded queue whose capacity and number of items are inputs. BROKEN: the index comes round one too late, which shows only
// where more items are put than the queue takes, and it takes as many as there is room for.
#include <assert.h>
#include <pthread.h>
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void __VERIFIER_assume(int);
#define ROOM 2

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int items[ROOM];
static unsigned capacity, number, used, head, tail;

static unsigned next(unsigned index) {
#ifdef BROKEN
  return index == capacity ? 0 : index + 1;
#else
  return index + 1 == capacity ? 0 : index + 1;
#endif
}

static void *producer(void *unused) {
  for (unsigned i = 0; i < number; i++) {
    pthread_mutex_lock(&m);
    while (used == capacity)
      pthread_cond_wait(&changed, &m);
    items[tail] = (int)i; //~[broken] memory
    tail = next(tail);
    used++;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&m);
  }
  return unused;
}

int main(void) {
  pthread_t t;
  capacity = __VERIFIER_nondet_uchar();
  number = __VERIFIER_nondet_uchar();
  __VERIFIER_assume(1 <= capacity && capacity <= ROOM);
  __VERIFIER_assume(number <= 3);
  pthread_create(&t, 0, producer, 0);
  for (unsigned i = 0; i < number; i++) {
    pthread_mutex_lock(&m);
    while (used == 0)
      pthread_cond_wait(&changed, &m);
    int item = items[head];
    head = next(head);
    used--;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&m);
#ifndef BROKEN
    assert(item == (int)i);
#endif
  }
  pthread_join(t, 0);
  return 0;
}
