//@ revisions: right two_writers once
//@ verdict: safe
//@[two_writers] cflags: -DWRITERS=2
//@[once] verdict: unsafe(assertion)
//@[once] cflags: -DCHECK=if
//@ source: a monitor from the textbooks; RWLOCK in table 2 of unfolding-based POR, 2015
//@ cutoffs: needed
// A reader-writer lock of a mutex, a condition and two counters. Who was woken may come too late, and must look
// again.
#include "../threads.h"
#include <assert.h>
#ifndef WRITERS
#define WRITERS 1
#endif
#ifndef CHECK
#define CHECK while
#endif
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int readers, writers, data, copy;

static void *reader(void *arg) {
  while (1) {
    pthread_mutex_lock(&m);
    CHECK (writers > 0)
      pthread_cond_wait(&changed, &m);
    readers++;
    assert(writers == 0); //~[once] assertion
    pthread_mutex_unlock(&m);
    assert(data == copy);
    pthread_mutex_lock(&m);
    readers--;
    if (readers == 0)
      pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&m);
  }
}

static void *writer(void *arg) {
  while (1) {
    pthread_mutex_lock(&m);
    CHECK (writers > 0 || readers > 0)
      pthread_cond_wait(&changed, &m);
    writers++;
    assert(writers == 1 && readers == 0); //~[once] assertion
    pthread_mutex_unlock(&m);
    data = !data;
    copy = data;
    pthread_mutex_lock(&m);
    writers--;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&m);
  }
}

int main(void) {
  run_all(2 + WRITERS, (routine *[]){reader, reader, writer, writer});
  return 0;
}
