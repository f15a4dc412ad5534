//@ revisions: deleted made_up deleted_early ends_meanwhile again_and_again
//@[deleted] verdict: unsafe(misuse)
//@[deleted] cflags: -DSCENE=1
//@[made_up] verdict: unsafe(misuse)
//@[made_up] cflags: -DSCENE=2
//@[deleted_early] verdict: unsafe(data-race)
//@[deleted_early] cflags: -DSCENE=3
//@[ends_meanwhile] verdict: unknown(which may end, know the key)
//@[ends_meanwhile] cflags: -DSCENE=4
//@[again_and_again] verdict: safe
//@[again_and_again] cflags: -DSCENE=5
//@[again_and_again] executions: 1
//@ source: by hand; one worker, whose destructor sets the value four times and is then given up
// Keys that are no more, or never were; a destructor that never has enough.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static pthread_key_t key;
static sem_t was_set;
static int times;

static void destructor(void *value) {
  times++;
#if SCENE == 5
  pthread_setspecific(key, value);
#endif
}

static void *worker(void *arg) {
#if SCENE == 3
  pthread_getspecific(key); //~[deleted_early] data-race
#elif SCENE >= 4
  pthread_setspecific(key, &times);
  sem_post(&was_set);
#endif
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_key_create(&key, destructor);
#if SCENE == 1
  pthread_key_delete(key);
  pthread_setspecific(key, &key); //~[deleted] misuse
#elif SCENE == 2
  pthread_getspecific(key + 1); //~[made_up] misuse
#endif
  sem_init(&was_set, 0, 0);
  pthread_create(&thread, 0, worker, 0);
#if SCENE == 4
  sem_wait(&was_set);
#endif
#if SCENE == 3 || SCENE == 4
  pthread_key_delete(key); //~[deleted_early] data-race
#endif
  pthread_join(thread, 0);
#if SCENE == 5
  assert(times == 4);
#endif
}
