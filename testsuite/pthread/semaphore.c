//@ verdict: safe
//@ native: run
//@ revisions: lock2 lock3 handed two_posts try value timed
//@[lock2] cflags: -DSCENE=1 -DN=2
//@[lock2] executions: 2
//@[lock3] cflags: -DSCENE=1 -DN=3
//@[lock3] executions: 6
//@[handed] cflags: -DSCENE=2 -DN=1
//@[handed] executions: 1
//@[two_posts] cflags: -DSCENE=2 -DN=2
//@[two_posts] executions: 4
//@[try] cflags: -DSCENE=3 -DN=1
//@[try] executions: 2
//@[value] cflags: -DSCENE=4 -DN=1
//@[value] executions: 2
//@[timed] cflags: -DSCENE=5 -DN=1
//@[timed] executions: 2
//@ source: by hand: as a lock, n! orders; orders of two posts and two waits in which no wait comes too early: 4; before or behind the post: 2
// Semaphores as locks, to hand something over, and looked at in passing.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

static sem_t semaphore;
static int data, slots[N];

static void *worker(void *arg) {
#if SCENE == 1
  sem_wait(&semaphore);
  data++;
  sem_post(&semaphore);
#else
  slots[(long)arg] = 1;
  assert(sem_post(&semaphore) == 0);
#endif
  return 0;
}

int main(void) {
  pthread_t threads[N];
  struct timespec soon = {0, 0};
  int value = -1;
  assert(sem_init(&semaphore, 0, SCENE == 1) == 0);
  for (long i = 0; i < N; i++)
    pthread_create(&threads[i], 0, worker, (void *)i);
#if SCENE == 2
  for (int i = 0; i < N; i++)
    assert(sem_wait(&semaphore) == 0);
  for (int i = 0; i < N; i++)
    assert(slots[i] == 1);
#elif SCENE == 3
  if (sem_trywait(&semaphore) == 0)
    assert(slots[0] == 1);
  else
    assert(errno == EAGAIN);
#elif SCENE == 4
  assert(sem_getvalue(&semaphore, &value) == 0);
  assert(value == 0 || value == 1);
#elif SCENE == 5
  if (sem_timedwait(&semaphore, &soon) == 0)
    assert(slots[0] == 1);
  else
    assert(errno == ETIMEDOUT);
#endif
  for (int i = 0; i < N; i++)
    pthread_join(threads[i], 0);
  assert(SCENE != 1 || data == N);
  assert(sem_destroy(&semaphore) == 0);
}
