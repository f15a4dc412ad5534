//@ revisions: behind unwritten race freed lost
//@ verdict: unsafe(memory)
//@[behind] cflags: -DBEHIND
//@[unwritten] cflags: -DUNWRITTEN
//@[unwritten] verdict: unsafe(uninitialised)
//@[race] cflags: -DRACE
//@[race] verdict: unsafe(data-race)
//@[freed] cflags: -DFREED
//@[lost] cflags: -DLOST
//@[lost] verdict: unsafe(leak)
// What goes wrong in a terabyte of which hardly anything is used.
#include <pthread.h>
#include <stdlib.h>
#define SIZE (1ul << 40)

static char *block;

static void *worker(void *arg) {
#ifdef RACE
  block[SIZE / 2] = 1; //~[race] data-race
#endif
  return arg;
}

int main(void) {
  pthread_t thread;
  block = malloc(SIZE); //~[lost] leak
  pthread_create(&thread, 0, worker, 0);
#ifdef RACE
  block[SIZE / 2] = 2; //~[race] data-race
#endif
  pthread_join(thread, 0);
#ifdef BEHIND
  block[SIZE] = 1; //~[behind] memory
#endif
#ifdef UNWRITTEN
  block[SIZE / 2] = 1;
  if (block[SIZE / 2 + 1]) //~[unwritten] uninitialised
    block[0] = 1;
#endif
#ifdef LOST
  *(char **)(block + SIZE / 2 - 3) = block; // only what is in it leads to it
  block = 0;
  return 0;
#endif
  free(block);
#ifdef FREED
  block[SIZE / 2] = 1; //~[freed] memory
#endif
}
