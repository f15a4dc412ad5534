//@ revisions: missing too_many unready waited destroyed nobody race
//@[missing] verdict: unsafe(deadlock)
//@[missing] cflags: -DSCENE=1 -DN=3
//@[too_many] verdict: unknown(more threads use the barrier)
//@[too_many] cflags: -DSCENE=2 -DN=1
//@[unready] verdict: unsafe(misuse)
//@[unready] cflags: -DSCENE=3 -DN=2
//@[waited] verdict: unsafe(misuse)
//@[waited] cflags: -DSCENE=4 -DN=2
//@[destroyed] verdict: unsafe(misuse)
//@[destroyed] cflags: -DSCENE=5 -DN=2
//@[nobody] verdict: safe
//@[nobody] cflags: -DSCENE=6 -DN=2
//@[race] verdict: unsafe(data-race)
//@[race] cflags: -DSCENE=7 -DN=2
//@ source: by hand
// Barriers for more threads than come, for fewer, not ready, gone too early; and one wait too few.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_barrier_t barrier;
static int parts[2];

static void *other(void *arg) {
#if SCENE == 1
  pthread_barrier_wait(&barrier); //~[missing] deadlock
#elif SCENE == 2
  pthread_barrier_wait(&barrier);
#elif SCENE == 4
  pthread_barrier_wait(&barrier); //~[waited] misuse
#elif SCENE == 7
  parts[1] = 1; //~[race] data-race
  pthread_barrier_wait(&barrier);
#endif
  return 0;
}

int main(void) {
  pthread_t thread;
#if SCENE != 3
  pthread_barrier_init(&barrier, 0, N);
#endif
  pthread_create(&thread, 0, other, 0);
#if SCENE == 1
  pthread_barrier_wait(&barrier); //~[missing] deadlock
#elif SCENE == 2
  pthread_barrier_wait(&barrier);
#elif SCENE == 3
  pthread_barrier_wait(&barrier); //~[unready] misuse
#elif SCENE == 4
  pthread_barrier_destroy(&barrier); //~[waited] misuse
#elif SCENE == 5
  pthread_barrier_destroy(&barrier);
  pthread_barrier_wait(&barrier); //~[destroyed] misuse
#elif SCENE == 6
  pthread_barrier_t none;
  assert(pthread_barrier_init(&none, 0, 0) == EINVAL);
#elif SCENE == 7
  parts[0] = parts[1]; //~[race] data-race
  pthread_barrier_wait(&barrier);
#endif
  pthread_join(thread, 0); //~[missing] deadlock
}
