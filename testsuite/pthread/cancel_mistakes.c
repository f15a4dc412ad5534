//@ revisions: locked lost gone asynchronous printed
//@[locked] verdict: unsafe(deadlock)
//@[locked] cflags: -DSCENE=1
//@[lost] verdict: unsafe(assertion)
//@[lost] cflags: -DSCENE=2
//@[gone] verdict: unsafe(misuse)
//@[gone] cflags: -DSCENE=3
//@[asynchronous] verdict: unknown(asynchronous cancellation)
//@[asynchronous] cflags: -DSCENE=4
//@[printed] verdict: unsafe(assertion)
//@[printed] cflags: -DSCENE=5
//@ source: by hand
// Threads that end where nobody thought of it.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int begun, done;

static void *worker(void *arg) {
#if SCENE == 1
  pthread_mutex_lock(&mutex);
  sleep(1);
  pthread_mutex_unlock(&mutex);
#elif SCENE == 2
  begun++;
  usleep(10);
  done++;
#elif SCENE == 4
  pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, 0);
#elif SCENE == 5
  begun++;
  printf("x");
  done++;
#endif
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, worker, 0);
#if SCENE == 3
  pthread_join(thread, 0);
  pthread_cancel(thread); //~[gone] misuse
#else
  pthread_cancel(thread);
  pthread_join(thread, 0);
#endif
  assert(begun == done); //~[lost printed] assertion
#if SCENE == 1
  pthread_mutex_lock(&mutex); //~[locked] deadlock
#endif
}
