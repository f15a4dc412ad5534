//@ revisions: waits wakes
//@[waits] verdict: unsafe(memory)
//@[waits] cflags: -DUSE=futex_wait(word,0)
//@[wakes] verdict: safe
//@[wakes] cflags: -DUSE=futex_wake(word,1)
// A thread cannot wait on memory that is gone. It may wake threads there, for that reads nothing.
#include "futex.h"
#include <stdlib.h>

int main(void) {
  atomic_uint *word = calloc(1, sizeof *word);
  free(word);
  return USE == 7; //~[waits] memory
}
