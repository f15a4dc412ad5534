//@ revisions: relock crossed free other held unready
//@[relock] verdict: unsafe(deadlock)
//@[relock] cflags: -DSCENE=1
//@[crossed] verdict: unsafe(deadlock)
//@[crossed] cflags: -DSCENE=2
//@[free] verdict: unsafe(misuse)
//@[free] cflags: -DSCENE=3
//@[other] verdict: unsafe(misuse)
//@[other] cflags: -DSCENE=4
//@[held] verdict: unsafe(misuse)
//@[held] cflags: -DSCENE=5
//@[unready] verdict: unsafe(misuse)
//@[unready] cflags: -DSCENE=6
//@ source: by hand: as of mutexes; a spin lock has no initial value, so each needs a call
// Spin locks used against their rules, and so that threads wait for one another.
#include <pthread.h>

static pthread_spinlock_t a, b, unready;

static void *other(void *arg) {
#if SCENE == 2
  pthread_spin_lock(&b);
  pthread_spin_lock(&a); //~[crossed] deadlock
  pthread_spin_unlock(&a);
  pthread_spin_unlock(&b);
#elif SCENE == 4
  pthread_spin_lock(&a);
#endif
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_spin_init(&a, 0);
  pthread_spin_init(&b, 0);
  pthread_create(&thread, 0, other, 0);
#if SCENE == 1
  pthread_spin_lock(&a);
  pthread_spin_lock(&a); //~[relock] deadlock
#elif SCENE == 2
  pthread_spin_lock(&a);
  pthread_spin_lock(&b); //~[crossed] deadlock
  pthread_spin_unlock(&b);
  pthread_spin_unlock(&a);
#endif
  pthread_join(thread, 0);
#if SCENE == 3
  pthread_spin_unlock(&a); //~[free] misuse
#elif SCENE == 4
  pthread_spin_unlock(&a); //~[other] misuse
#elif SCENE == 5
  pthread_spin_lock(&a);
  pthread_spin_destroy(&a); //~[held] misuse
#elif SCENE == 6
  pthread_spin_lock(&unready); //~[unready] misuse
#endif
}
