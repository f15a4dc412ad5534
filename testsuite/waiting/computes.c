//@ revisions: floats rotates counts_bits clamps grows fails_to_fit told
//@[floats rotates counts_bits clamps grows] verdict: safe
//@[floats] cflags: -DFIRST=1.5 -DTYPE=double -DCOUNT=usleep((useconds_t)pause);pause*=1.5;if(pause>5)pause=5
//@[rotates] cflags: -DFIRST=1 -DTYPE=unsigned -DCOUNT=pause=__builtin_rotateleft32(pause,8)
//@[counts_bits] cflags: -DFIRST=1 -DTYPE=unsigned -DCOUNT=pause=((pause<<1)+__builtin_popcount(pause))&15
//@[clamps] cflags: -DFIRST=0 -DTYPE=int -DCOUNT=pause=__builtin_elementwise_min(pause+1,3)
//@[grows] cflags: -DFIRST=0.5 -DTYPE=float -DCOUNT=pause=pause<2?pause*2:0.5f;if(pause!=pause)break
//@[floats rotates counts_bits clamps grows] awaits: 1
//@[fails_to_fit] verdict: unsafe(overflow)
//@[fails_to_fit] cflags: -DFIRST=1e9 -DTYPE=double -DCOUNT=sleeps=(int)pause;pause*=1.5
//@[told] verdict: unsafe(assertion)
//@[told] cflags: -DFIRST=0.5 -DTYPE=double -DCOUNT=pause=pause<2?pause*2:0.5 -DEND=assert(pause<1)
//@ cutoffs: needed
//@ source: the number decides nothing, so that the waiting thread is as good as one without turns; 1.5e9 fits into an int and 2.25e9 does not; after one turn the number is 1
// A thread computes in each turn how long it pauses, not only with integers.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>
#ifndef END
#define END
#endif

static atomic_int flag;

static void *waits(void *argument) {
  TYPE pause = FIRST;
  int sleeps = 0;
  (void)sleeps;
  while (!atomic_load(&flag)) {
    COUNT; //~[fails_to_fit] overflow
  }
  END; //~[told] assertion
  return argument;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, waits, 0);
  atomic_store(&flag, 1);
  pthread_join(thread, 0);
  return 0;
}
