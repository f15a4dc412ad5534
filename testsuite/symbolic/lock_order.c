//@ revisions: safe broken
//@[safe] verdict: safe
//@[broken] verdict: unsafe(deadlock)
//@[broken] cflags: -DBROKEN
//@[broken] blocked: some
// Two transfers between accounts that are inputs: who locks the smaller number first never waits in a circle. BROKEN: each locks its
// source first, and there is a deadlock where the two go in opposite directions.
#include <pthread.h>
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void __VERIFIER_assume(int);

static pthread_mutex_t account[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static int balance[2];
static unsigned char source[2], target[2];

static void transfer(unsigned char from, unsigned char to) {
#ifdef BROKEN
  unsigned char first = from, second = to;
#else
  unsigned char first = from < to ? from : to, second = from < to ? to : from;
#endif
  pthread_mutex_lock(&account[first]);
  pthread_mutex_lock(&account[second]); //~[broken] deadlock
  balance[from]--;
  balance[to]++;
  pthread_mutex_unlock(&account[second]);
  pthread_mutex_unlock(&account[first]);
}

static void *worker(void *unused) {
  transfer(source[1], target[1]);
  return unused;
}

int main(void) {
  pthread_t t;
  for (int i = 0; i < 2; i++) {
    source[i] = __VERIFIER_nondet_uchar();
    target[i] = __VERIFIER_nondet_uchar();
    __VERIFIER_assume(source[i] < 2 && target[i] < 2 && source[i] != target[i]);
  }
  pthread_create(&t, 0, worker, 0);
  transfer(source[0], target[0]);
  pthread_join(t, 0);
  return 0;
}
