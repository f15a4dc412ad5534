//@ revisions: unlocked_late signalled_late on_stack waited_for awaited stays
//@[unlocked_late signalled_late on_stack waited_for] verdict: unsafe(memory)
//@[stays awaited] verdict: safe
//@[unlocked_late signalled_late on_stack stays] args: --check=-data-race
//@[waited_for] cflags: -DWAITED_FOR
//@[awaited] cflags: -DWAITED_FOR -DJOIN
//@[signalled_late] cflags: -DSIGNALLED_LATE
//@[on_stack] cflags: -DSIGNALLED_LATE -DON_STACK
//@[stays] cflags: -DSTAYS
//@[stays awaited] source: below
//@[stays] executions: 2
//@[awaited] executions: 1
// A mutex or condition variable whose memory is given back while another thread is about to use it, or waits there.
// stays: `main` locks before the thread does, and finds nothing done, or after it: 2. awaited: the thread locks when
// `main` has unlocked: 1.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

typedef struct {
  pthread_mutex_t mutex;
  pthread_cond_t changed;
  int done;
} Job;
static atomic_int told;
static pthread_t thread;

static void *works(void *arg) {
  Job *job = arg;
  pthread_mutex_lock(&job->mutex); //~[waited_for] memory
#ifndef WAITED_FOR
  job->done = 1;
  told = 1;
#ifdef SIGNALLED_LATE
  pthread_mutex_unlock(&job->mutex);
  pthread_cond_signal(&job->changed); //~[signalled_late on_stack] memory
  return 0;
#endif
  pthread_cond_signal(&job->changed); //~[unlocked_late] memory
#endif
  pthread_mutex_unlock(&job->mutex); //~[unlocked_late] memory
  return 0;
}

static void run(void) {
#ifdef ON_STACK
  Job here, *job = &here;
#else
  Job *job = malloc(sizeof *job);
#endif
  pthread_mutex_init(&job->mutex, 0);
  pthread_cond_init(&job->changed, 0);
  job->done = 0;
#ifdef WAITED_FOR
  pthread_mutex_lock(&job->mutex);
  pthread_create(&thread, 0, works, job);
#ifdef JOIN
  pthread_mutex_unlock(&job->mutex);
  pthread_join(thread, 0);
#endif
#else
  pthread_create(&thread, 0, works, job);
#if defined SIGNALLED_LATE || defined STAYS
  pthread_mutex_lock(&job->mutex);
  while (!job->done)
    pthread_cond_wait(&job->changed, &job->mutex);
  pthread_mutex_unlock(&job->mutex);
#else
  if (!told)
    pthread_join(thread, 0);
#endif
#endif
#ifndef ON_STACK
  free(job);
#endif
}

int main(void) { run(); }
