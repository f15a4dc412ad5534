//@ verdict: safe
//@ native: run
//@ revisions: destructor routine exit
//@[destructor] cflags: -DSCENE=1
//@[destructor] executions: 1
//@[routine] cflags: -DSCENE=2
//@[routine] executions: 1
//@[exit] cflags: -DSCENE=3
//@[exit] executions: 1
//@ source: by hand: nothing is shared; without the destructor, or without the thread that frees, the block would be lost
// Functions of the library where the library starts functions: `free` as the destructor of a key and as a thread's routine,
// and one without arguments as what is done at the end of the process.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_key_t key;

static void *worker(void *arg) {
  pthread_setspecific(key, malloc(8));
  return arg;
}

int main(void) {
  pthread_t thread;
#if SCENE == 1
  assert(pthread_key_create(&key, free) == 0);
  pthread_create(&thread, 0, worker, 0);
  pthread_join(thread, 0);
#elif SCENE == 2
  assert(pthread_create(&thread, 0, (void *(*)(void *))free, malloc(8)) == 0);
  pthread_join(thread, 0);
#else
  (void)worker, (void)thread;
  assert(atexit((void (*)(void))pthread_self) == 0);
#endif
}
