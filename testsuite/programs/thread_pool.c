//@ revisions: broadcast signal
//@[broadcast] verdict: safe
//@[broadcast] native: run
//@[signal] verdict: unsafe(deadlock)
//@[signal] cflags: -DWAKE=pthread_cond_signal
//@ naive: no
//@ source: at the end all workers must be woken; a signal wakes one, and nobody passes it on
// Two workers take jobs from a list until the pool is closed.
#include "../threads.h"
#include <assert.h>
#include <stdlib.h>
#ifndef WAKE
#define WAKE pthread_cond_broadcast
#endif
struct job {
  struct job *next;
  int number;
};
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static struct job *jobs;
static int closed, done;

static void submit(int number) {
  struct job *job = malloc(sizeof *job);
  job->number = number;
  pthread_mutex_lock(&m);
  job->next = jobs;
  jobs = job;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&m);
}

static void *worker(void *arg) {
  pthread_mutex_lock(&m);
  while (1) {
    while (!jobs && !closed)
      pthread_cond_wait(&changed, &m); //~[signal] deadlock
    if (!jobs)
      break;
    struct job *job = jobs;
    jobs = job->next;
    done += job->number;
    free(job);
  }
  pthread_mutex_unlock(&m);
  return arg;
}

int main(void) {
  start_all(2, (routine *const[]){worker, worker});
  submit(1);
  submit(2);
  pthread_mutex_lock(&m);
  closed = 1;
  WAKE(&changed);
  pthread_mutex_unlock(&m);
  join_all(2);
  assert(done == 3 && !jobs);
  return 0;
}
