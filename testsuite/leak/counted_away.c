//@ revisions: cleared moved halved pieces number
//@[cleared moved halved pieces] verdict: unsafe(leak)
//@[cleared] cflags: -DCOUNT=atomic_fetch_and(word,0)
//@[moved] cflags: -DCOUNT=atomic_fetch_xor(word,64)
//@[halved] cflags: -DCOUNT=atomic_fetch_and((atomic_uint*)word,0)
//@[pieces] cflags: -DCOUNT=atomic_fetch_xor((atomic_uint*)word,64) -DPIECES
//@[number] verdict: safe
//@[number] cflags: -DCOUNT=atomic_fetch_xor(word,64) -DBLOCK=0
//@[number] awaits: 1
//@ cutoffs: needed
//@ source: a turn between the two stores loses the only address of the block, but where none was stored
// A thread counts where another one stores the address of a block.
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#ifndef BLOCK
#define BLOCK (uintptr_t)malloc(4)
#endif
static atomic_int flag;
static atomic_uintptr_t word;

static void *waits(void *arg) {
  atomic_uintptr_t *word = arg;
  while (!atomic_load(&flag))
    COUNT;
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, waits, &word);
#ifdef PIECES
  uintptr_t block = BLOCK; //~[pieces] leak
  atomic_store((atomic_uint *)&word, (unsigned)block);
  atomic_store((atomic_uint *)&word + 1, (unsigned)(block >> 32));
#else
  atomic_store(&word, BLOCK); //~[cleared moved halved] leak
#endif
  atomic_store(&flag, 1);
  pthread_join(thread, 0);
  return 0;
}
