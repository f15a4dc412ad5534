//@ revisions: first last
//@ verdict: unsafe(assertion)
//@[first] cflags: -DWRONG=(position==0)
//@[last] cflags: -DWRONG=(position==1)
// Of two waiting threads, a signal may wake either.
#include "../threads.h"
#include <assert.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int waiting, signalled_both_waiting, woken;

static void *waiter(void *arg) {
  pthread_mutex_lock(&m);
  int position = waiting++;
  if (!woken)
    pthread_cond_wait(&c, &m);
  if (signalled_both_waiting && woken++ == 1)
    assert(!WRONG); //~ assertion
  pthread_cond_signal(&c);
  pthread_mutex_unlock(&m);
  return 0;
}

static void *signaller(void *arg) {
  pthread_mutex_lock(&m);
  woken = 1;
  signalled_both_waiting = waiting == 2;
  pthread_cond_signal(&c);
  pthread_mutex_unlock(&m);
  return 0;
}

int main(void) {
  run_all(3, (routine *[]){waiter, waiter, signaller});
  return 0;
}
