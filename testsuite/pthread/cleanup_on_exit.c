//@ verdict: safe
//@ native: run
//@ executions: 1
//@ source: by hand: one worker
// pthread_exit runs cleanup handlers too, the last one first, and those that were taken away only if asked.
#include <assert.h>
#include <pthread.h>

static int order[4], count;

static void note(void *what) { order[count++] = *(int *)what; }

static void deeper(void) {
  int three = 3;
  pthread_cleanup_push(note, &three);
  pthread_exit((void *)7);
  pthread_cleanup_pop(0);
}

static void *worker(void *arg) {
  int one = 1, two = 2, never = 9;
  pthread_cleanup_push(note, &one);
  pthread_cleanup_push(note, &two);
  pthread_cleanup_pop(1);
  pthread_cleanup_push(note, &never);
  pthread_cleanup_pop(0);
  deeper();
  pthread_cleanup_pop(0);
  return 0;
}

int main(void) {
  pthread_t thread;
  void *result;
  pthread_create(&thread, 0, worker, 0);
  pthread_join(thread, &result);
  assert(result == (void *)7);
  assert(count == 3 && order[0] == 2 && order[1] == 3 && order[2] == 1);
}
