//@ verdict: unsafe(assertion)
//@ revisions: seen counted
//@[counted] cflags: -DCOUNTED
// A thread has the number of one that was joined, and creates more threads than that one did: each is another one.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
static atomic_int x, y;
static sem_t done;

static void *fails(void *arg) {
  assert(atomic_load(&x) == 0); //~[seen] assertion
  sem_post(&done);
  return arg;
}

static void *stores(void *arg) {
  atomic_store(&x, 1);
  sem_post(&done);
  return arg;
}

static void *adds(void *arg) {
  atomic_fetch_add(&y, 1);
  return arg;
}

static void *creates(void *second) {
  pthread_t a, b;
  if (!second) {
    pthread_create(&a, 0, adds, 0);
    pthread_join(a, 0);
    return 0;
  }
#ifdef COUNTED
  pthread_create(&a, 0, adds, 0);
  pthread_create(&b, 0, adds, 0);
  pthread_join(a, 0);
#else
  pthread_create(&a, 0, fails, 0);
  pthread_create(&b, 0, stores, 0);
#endif
  pthread_join(b, 0);
  return 0;
}

int main(void) {
  pthread_t t;
  sem_init(&done, 0, 0);
  pthread_create(&t, 0, creates, 0);
  pthread_join(t, 0);
  pthread_create(&t, 0, creates, &t);
  pthread_join(t, 0);
#ifdef COUNTED
  assert(y != 3); //~[counted] assertion
#else
  sem_wait(&done);
#endif
  return 0;
}
