//@ verdict: unsafe(livelock)
//@ revisions: alone two plain
//@[two] cflags: -DTWO
//@[plain] cflags: -DPLAIN
//@ cutoffs: needed
// A turn of a loop leads to where the next one is in another state, and only that one leads back. So the thread stands
// twice at the same place with the same values: the second time it waits.
#include <pthread.h>
#include <stdatomic.h>
static atomic_int state, other;
static int expected = 1, told;

static void *turns(void *arg) {
  int turn = 0;
#ifdef PLAIN
  do {
    if (atomic_load(&state) == expected) break;
    if (atomic_load(&state) == 3) break;
    if (turn < 2) turn++;
  } while (atomic_load(&state) != 5); //~[plain] livelock
  if (turn == 1) told++;
#else
  while (atomic_load(&state) != turn && (turn = (2 * turn + 1) % 4, atomic_load(&other)) == 2 && atomic_load(&state) != 1) //~[alone two] livelock
    ;
#endif
  return arg;
}

static void *changes(void *arg) {
  atomic_fetch_add(&state, 1);
  atomic_exchange(&state, 0);
  atomic_store(&other, 2);
  return arg;
}

int main(void) {
  pthread_t thread, second;
#ifdef TWO
  pthread_create(&thread, 0, turns, 0);
  pthread_create(&second, 0, changes, 0);
  pthread_join(second, 0);
#else
#ifndef PLAIN
  atomic_store(&state, 4);
#endif
  atomic_store(&other, 2);
  pthread_create(&thread, 0, turns, 0);
#endif
  pthread_join(thread, 0);
  return 0;
}
