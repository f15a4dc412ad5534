//@ verdict: safe
//@ native: run
//@ revisions: posix c11
//@[posix] executions: 6
//@[c11] cflags: -DC11
//@[c11] executions: 6
//@ source: by hand: the destructors of three threads lock one mutex: 3!
// Each thread has its own values; destructors run when it ends, again for what they set themselves.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <threads.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int freed, again;
#ifdef C11
static tss_t block, rest, plain;
#define SET(key, value) assert(tss_set(key, value) == thrd_success)
#define GET tss_get
#define CREATE tss_create
#define DELETE tss_delete
#else
static pthread_key_t block, rest, plain;
#define SET(key, value) assert(pthread_setspecific(key, value) == 0)
#define GET pthread_getspecific
#define CREATE pthread_key_create
#define DELETE pthread_key_delete
#endif

static void free_block(void *value) {
  assert(GET(block) == 0 && *(long *)value > 0);
  free(value);
  pthread_mutex_lock(&mutex);
  freed++;
  pthread_mutex_unlock(&mutex);
  SET(rest, &again);
}

static void leave_rest(void *value) {
  assert(value == &again);
  assert(GET(plain) == 0);
}

static void *worker(void *arg) {
  assert(GET(block) == 0);
  SET(plain, &plain);
  long *own = malloc(sizeof *own);
  *own = (long)arg;
  SET(block, own);
  assert(GET(block) == own && GET(rest) == 0);
  if (*own == 2)
    pthread_exit(0);
  return 0;
}

int main(void) {
  pthread_t threads[3];
  assert(CREATE(&rest, leave_rest) == 0);
  assert(CREATE(&block, free_block) == 0);
  assert(CREATE(&plain, 0) == 0);
  SET(plain, &freed);
  for (long i = 0; i < 3; i++)
    pthread_create(&threads[i], 0, worker, (void *)(i + 1));
  for (int i = 0; i < 3; i++)
    pthread_join(threads[i], 0);
  assert(freed == 3);
  assert(GET(plain) == &freed);
  DELETE(block);
  DELETE(rest);
  DELETE(plain);
}
