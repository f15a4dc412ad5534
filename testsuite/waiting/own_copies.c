//@ verdict: unsafe(memory)
//@ revisions: overlap overlap_called later
//@[overlap] cflags: -DOVERLAP
//@[overlap_called] cflags: -DCALLED
//@[later] cflags: -DLATER
//@ cutoffs: needed
//@ source: C17 7.24.2.1: what memcpy copies does not overlap
// A turn copies within a variable of its own, by ranges that overlap, at once or in the second turn.
#define WAITING 1
#include "flag.h"
#include <string.h>

static int copies(int by) {
  char text[8] = "1234567";
  memcpy(text + by, text, 4); //~[overlap_called later] memory
  return text[4];
}

static void *waits(void *arg) {
  int by = 4;
  while (!atomic_load(&flag)) {
#ifdef OVERLAP
    char text[8] = "1234567";
    memcpy(text + 1, text, 4); //~[overlap] memory
#elif defined(CALLED)
    copies(1);
#elif defined(LATER)
    copies(by);
    by = 2;
#endif
  }
  return arg;
}
