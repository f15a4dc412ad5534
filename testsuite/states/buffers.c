//@ revisions: ring fenced fence_lost message reordered coherent
//@[ring] cflags: -DFAMILY=1 -DFENCES=0
//@[ring] verdict: unsafe(assertion)
//@[fenced] cflags: -DFAMILY=1 -DFENCES=4
//@[fenced] verdict: safe
//@[fence_lost] cflags: -DFAMILY=1 -DFENCES=3
//@[fence_lost] verdict: unsafe(assertion)
//@[message] cflags: -DFAMILY=2
//@[message] verdict: safe
//@[reordered] cflags: -DFAMILY=2 -DANY_SLOT
//@[reordered] verdict: unsafe(assertion)
//@[coherent] cflags: -DFAMILY=3
//@[coherent] verdict: safe
//@ engine: states
// Four threads of which each stores into a buffer of two slots of its own. Buffers are flushed to memory at random, and everything
// happens in atomic blocks: the way in which programs of SV-COMP have litmus tests for weak memory. (These were written for this suite.)
//
// ring: each thread stores 1 to its variable and reads that of the next one. If nothing has been flushed by then, all read 0.
// fenced: each thread flushes its buffer in between. The last one to do so reads 1, for the next one has done it before.
// fence_lost: the last thread does not. It reads 0 before the first one has stored, and its own store stays in its buffer until the third
// one has read 0; the first and the second have read 0 before that, in this order.
// message: the first thread stores data, then a flag. A buffer is flushed in order, so whoever sees the flag sees the data.
// reordered: a slot is flushed out of order, so the flag can come to be seen before the data.
// coherent: two threads store to one variable, and two read it twice. It has one value after the other, so if one reader has seen 1 and
// then 2, the other one cannot have seen 2 and then 1.
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);
extern _Bool __VERIFIER_nondet_bool(void);

static int memory[4];
static int used[4], variable[4][2], value[4][2];
static int result[4], second[4];

static void flush(int me, int slot) {
  memory[variable[me][slot]] = value[me][slot];
  used[me]--;
  if (slot == 0) {
    variable[me][0] = variable[me][1];
    value[me][0] = value[me][1];
  }
  variable[me][1] = value[me][1] = 0;
}

static void flush_at_random(int me) {
  while (used[me] > 0 && __VERIFIER_nondet_bool())
    flush(me, 0);
}

static void store(int me, int to, int what) {
  __VERIFIER_atomic_begin();
  flush_at_random(me);
  if (used[me] == 2)
    flush(me, 0);
  variable[me][used[me]] = to;
  value[me][used[me]++] = what;
  __VERIFIER_atomic_end();
}

static int load(int me, int from) {
  __VERIFIER_atomic_begin();
  flush_at_random(me);
  int what = memory[from];
  for (int slot = 0; slot < used[me]; slot++)
    if (variable[me][slot] == from)
      what = value[me][slot];
  __VERIFIER_atomic_end();
  return what;
}

static void fence(int me) {
  __VERIFIER_atomic_begin();
  while (used[me] > 0)
    flush(me, 0);
  __VERIFIER_atomic_end();
}

static void *work(void *arg) {
  int me = (int)(long)arg;
#if FAMILY == 1
  store(me, me, 1);
  if (me < FENCES)
    fence(me);
  result[me] = load(me, (me + 1) % 4);
#elif FAMILY == 2
  if (me == 0) {
    store(me, 0, 1);
    store(me, 1, 1);
#ifdef ANY_SLOT
    __VERIFIER_atomic_begin();
    if (used[me] == 2)
      flush(me, 1);
    __VERIFIER_atomic_end();
#endif
  } else {
    result[me] = load(me, 1);
    second[me] = load(me, 0);
  }
#else
  if (me < 2) {
    store(me, 0, me + 1);
  } else {
    result[me] = load(me, 0);
    second[me] = load(me, 0);
  }
#endif
  // What is still in the buffer is flushed some time.
  fence(me);
  return 0;
}

int main(void) {
  pthread_t threads[4];
  for (long i = 0; i < 4; i++)
    pthread_create(&threads[i], 0, work, (void *)i);
  for (int i = 0; i < 4; i++)
    pthread_join(threads[i], 0);
#if FAMILY == 1
  assert(result[0] || result[1] || result[2] || result[3]); //~[ring fence_lost] assertion
#elif FAMILY == 2
  for (int i = 1; i < 4; i++)
    assert(!result[i] || second[i]); //~[reordered] assertion
#else
  assert(!(result[2] == 1 && second[2] == 2 && result[3] == 2 && second[3] == 1));
#endif
  return 0;
}
