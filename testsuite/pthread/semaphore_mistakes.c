//@ revisions: never philosophers unready destroyed again race
//@[never] verdict: unsafe(deadlock)
//@[never] cflags: -DSCENE=1
//@[philosophers] verdict: unsafe(deadlock)
//@[philosophers] cflags: -DSCENE=2
//@[unready] verdict: unsafe(misuse)
//@[unready] cflags: -DSCENE=3
//@[destroyed] verdict: unsafe(misuse)
//@[destroyed] cflags: -DSCENE=4
//@[again] verdict: unsafe(misuse)
//@[again] cflags: -DSCENE=5
//@[race] verdict: unsafe(data-race)
//@[race] cflags: -DSCENE=6
//@ source: by hand
// Semaphores that nobody posts, in two orders, not ready, and one that lets in two.
#include <pthread.h>
#include <semaphore.h>

static sem_t a, b;
static int data;

static void *other(void *arg) {
#if SCENE == 1
  sem_wait(&a); //~[never] deadlock
  sem_wait(&a); //~[never] deadlock
#elif SCENE == 2
  sem_wait(&b);
  sem_wait(&a); //~[philosophers] deadlock
  sem_post(&a);
  sem_post(&b);
#elif SCENE == 4
  sem_post(&a); //~[destroyed] misuse
#elif SCENE == 6
  sem_wait(&a);
  data++; //~[race] data-race
  sem_post(&a);
#endif
  return 0;
}

int main(void) {
  pthread_t thread;
#if SCENE != 3
  sem_init(&a, 0, SCENE == 6 ? 2 : 1);
  sem_init(&b, 0, 1);
#endif
  pthread_create(&thread, 0, other, 0);
#if SCENE == 2
  sem_wait(&a);
  sem_wait(&b); //~[philosophers] deadlock
  sem_post(&b);
  sem_post(&a);
#elif SCENE == 3
  sem_post(&a); //~[unready] misuse
#elif SCENE == 4
  sem_destroy(&a);
#elif SCENE == 5
  sem_init(&a, 0, 1); //~[again] misuse
#elif SCENE == 6
  sem_wait(&a);
  data++; //~[race] data-race
  sem_post(&a);
#endif
  pthread_join(thread, 0); //~[never philosophers] deadlock
}
