//@ revisions: freed forgotten at_exit result
//@[freed] verdict: safe
//@[freed] cflags: -DDESTRUCTOR=release
//@[forgotten] verdict: unsafe(leak)
//@[forgotten] cflags: -DDESTRUCTOR=0
//@[at_exit] verdict: safe
//@[at_exit] cflags: -DDESTRUCTOR=0 -DIN_MAIN
//@[result] verdict: safe
//@[result] cflags: -DDESTRUCTOR=release -DRESULT
//@ source: POSIX: a destructor gets the value when its thread ends; returning from main calls none, but the value is still there
// The value for a key belongs to the thread, until it ends.
#include <pthread.h>
#include <stdlib.h>
static pthread_key_t key;

static void release(void *block) { free(block); }

static void *worker(void *arg) {
  (void)arg;
  pthread_setspecific(key, malloc(4)); //~[forgotten] leak
#ifdef RESULT
  return malloc(8);
#else
  return 0;
#endif
}

int main(void) {
  pthread_t t;
  void *result = 0;
  pthread_key_create(&key, DESTRUCTOR);
#ifdef IN_MAIN
  worker(0);
#else
  pthread_create(&t, 0, worker, 0);
  pthread_join(t, &result);
#endif
  (void)t, (void)release;
  free(result);
  return 0;
}
