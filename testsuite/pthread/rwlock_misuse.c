//@ verdict: unsafe(misuse)
//@ revisions: nobody other held destroyed unwritten again
//@[nobody] cflags: -DSCENE=1
//@[other] cflags: -DSCENE=2
//@[held] cflags: -DSCENE=3
//@[destroyed] cflags: -DSCENE=4
//@[unwritten] cflags: -DSCENE=5
//@[again] cflags: -DSCENE=6
//@ source: by hand: POSIX calls each of these undefined
// Read-write locks used against their rules.
#include <pthread.h>
#include <stdlib.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static void *holder(void *arg) {
  pthread_rwlock_rdlock(&lock);
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, holder, 0);
  pthread_join(thread, 0);
#if SCENE == 1
  pthread_rwlock_t own = PTHREAD_RWLOCK_INITIALIZER;
  pthread_rwlock_unlock(&own); //~[nobody] misuse
#elif SCENE == 2
  pthread_rwlock_unlock(&lock); //~[other] misuse
#elif SCENE == 3
  pthread_rwlock_destroy(&lock); //~[held] misuse
#elif SCENE == 4
  pthread_rwlock_t own = PTHREAD_RWLOCK_INITIALIZER;
  pthread_rwlock_destroy(&own);
  pthread_rwlock_rdlock(&own); //~[destroyed] misuse
#elif SCENE == 5
  pthread_rwlock_t *own = malloc(sizeof *own);
  pthread_rwlock_wrlock(own); //~[unwritten] misuse
#else
  pthread_rwlock_init(&lock, 0); //~[again] misuse
#endif
}
