//@ revisions: stale own
//@[stale] verdict: unsafe(memory)
//@[own] verdict: safe
//@[own] cflags: -DOWN
//@ args: --check assertion,memory
// `frees` frees two blocks of main's, before its first action. `looks` sets `seen` only if it finds the mutex locked, so only after both
// actions of `frees`; a trylock that fails orders nothing. Then main takes a third block, and writes to the first one.
//
// stale: that is a use after free whenever `seen` is set, which is possible. If `frees` changes `count` before `looks` does, main learns of
// the frees from `seen`, and its third block may have the address of the first one. If it changes it after, main does not learn of them, and
// the block has an address of its own. Behind both changes the memory is the same, and so are all threads, and main knows of nothing yet:
// that `looks` knows has to be a part of the state. (Once it was not, and `--engine states` said "safe".)
// own: main writes to its third block.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static atomic_int count, seen;
static int *old[2];

static void *frees(void *arg) {
  free(old[0]);
  free(old[1]);
  count++;
  pthread_mutex_lock(&m);
  return arg;
}

static void *looks(void *arg) {
  count++;
  if (pthread_mutex_trylock(&m))
    seen = 1;
  return arg;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 3; i++) {
    if (i == 2) {
      pthread_create(&threads[0], 0, frees, 0);
      pthread_create(&threads[1], 0, looks, 0);
      if (!seen)
        return 0;
    }
    int *block = malloc(sizeof(int)); // (One call: only blocks of one place get addresses of one another.)
    if (i < 2) {
      old[i] = block;
      continue;
    }
#ifdef OWN
    *block = 1;
#else
    *old[0] = 1; //~[stale] memory
#endif
    free(block);
  }
}
