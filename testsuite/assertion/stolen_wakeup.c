//@ revisions: if while
//@[if] verdict: unsafe(assertion)
//@[if] cflags: -DCHECK=if
//@[while] verdict: safe
//@[while] cflags: -DCHECK=while
//@ orders: 3
// A second consumer takes the item between the signal and the return of the wait.
#include "../threads.h"
#include <assert.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int items;

static void *consumer(void *arg) {
  pthread_mutex_lock(&m);
  CHECK (items == 0)
    pthread_cond_wait(&c, &m);
  assert(items > 0); //~[if] assertion
  items--;
  pthread_mutex_unlock(&m);
  return 0;
}

static void *producer(void *arg) {
  for (int i = 0; i < 2; i++) {
    pthread_mutex_lock(&m);
    items++;
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
  }
  return 0;
}

int main(void) {
  run_all(3, (routine *[]){consumer, consumer, producer});
  return 0;
}
