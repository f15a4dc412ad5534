//@ revisions: posix c11 nested heap stranger copied
//@[posix] verdict: safe
//@[c11] verdict: safe
//@[c11] cflags: -DC11
//@[nested] verdict: safe
//@[nested] cflags: -DNESTED
//@[heap] verdict: safe
//@[heap] cflags: -DHEAP
//@[stranger] verdict: unsafe(data-race)
//@[stranger] cflags: -DSTRANGER
//@[copied] verdict: unsafe(data-race)
//@[copied] cflags: -DCOPIED
//@ source: own; C11 7.26.5.1 orders thrd_create before the new thread, glibc stores the handle before it starts the thread
// A new thread, and a thread that it creates, may read its handle where the creator has it stored. A thread that knows nothing
// of the creation races with it, and so does a new thread with a copy that the creator makes after the creation.
#include <pthread.h>
#include <stdlib.h>
#include <threads.h>

static pthread_t global, copy, *handle = &global;

static int look(void) {
#ifdef COPIED
  volatile pthread_t seen = copy;
#else
  volatile pthread_t seen = *handle;
#endif
  return seen == 0;
}

static int look_c11(void *arg) { return look(); }

static void *look_posix(void *arg) {
  look();
  return 0;
}

static void *nest(void *arg) {
  pthread_t inner;
  pthread_create(&inner, 0, look_posix, 0);
  pthread_join(inner, 0);
  return 0;
}

static void *nothing(void *arg) { return 0; }

int main(void) {
#ifdef HEAP
  handle = malloc(sizeof *handle);
#endif
#ifdef STRANGER
  pthread_t stranger;
  pthread_create(&stranger, 0, look_posix, 0);
  pthread_create(handle, 0, nothing, 0); //~[stranger] data-race
  pthread_join(stranger, 0);
#elif defined NESTED
  pthread_create(handle, 0, nest, 0);
#elif defined C11
  thrd_create(handle, look_c11, 0);
  return thrd_join(*handle, 0);
#else
  pthread_create(handle, 0, look_posix, 0);
#endif
#ifdef COPIED
  copy = *handle; //~[copied] data-race
#endif
  pthread_join(*handle, 0);
#ifdef HEAP
  free(handle);
#endif
  return 0;
}
