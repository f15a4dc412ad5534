//@ revisions: used thrown_away c11 no_return kept_by_destructor defined
//@[used no_return c11 kept_by_destructor] verdict: unsafe(uninitialised)
//@[thrown_away defined] verdict: safe
//@[thrown_away] cflags: -DTHROWN_AWAY
//@[c11] cflags: -DC11
//@[no_return] cflags: -DNO_RETURN -Wno-return-type
//@[kept_by_destructor] cflags: -DDESTRUCTOR
//@[defined] cflags: -DDEFINED
// The result of a thread's function was never given a value. That matters as soon as something depends on it.
#include <pthread.h>
#include <stdlib.h>
#ifdef C11
#include <threads.h>
#endif

static void **place;

#ifdef DESTRUCTOR
static pthread_key_t key;
static void destroy(void *value) {}
#endif

#ifdef C11
static int gives(void *arg) { return *(int *)place; }
#elif defined(NO_RETURN)
static void *gives(void *arg) {}
#else
static void *gives(void *arg) {
#ifdef DESTRUCTOR
  pthread_setspecific(key, place);
#elif defined(DEFINED)
  *place = 0;
#endif
  return *place;
}
#endif

int main(void) {
  place = malloc(sizeof *place);
  if (!place) return 0;
#ifdef DESTRUCTOR
  pthread_key_create(&key, destroy);
#endif
#ifdef C11
  thrd_t thread;
  int result;
  thrd_create(&thread, gives, 0);
  thrd_join(thread, &result);
#else
  pthread_t thread;
  void *result;
  pthread_create(&thread, 0, gives, 0);
  pthread_join(thread, &result);
#endif
  void *copy = (void *)(long)result;
  free(place);
#ifdef THROWN_AWAY
  (void)copy;
  return 0;
#else
  if (copy) //~[used no_return c11 kept_by_destructor] uninitialised
    return 1;
  return 0;
#endif
}
