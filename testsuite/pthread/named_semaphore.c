//@ verdict: safe
//@ native: run
//@ revisions: lock exclusive kept unlinked refused
//@[lock] cflags: -DSCENE=1
//@[lock] executions: 10
//@[exclusive] cflags: -DSCENE=2
//@[exclusive] executions: 2
//@[kept] cflags: -DSCENE=3
//@[kept] executions: 1
//@[unlinked] cflags: -DSCENE=4
//@[unlinked] executions: 1
//@[refused] cflags: -DSCENE=5
//@[refused] executions: 1
//@ source: by hand: of the six orders of two openings and two closings, two leave one order of the locked sections, and four both: 10; who is first: 2
// Semaphores with names: two threads open the same one, one of two creates it, it outlives its closing and its name, and what
// is refused.
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>

#define TEXT(x) #x
#define NAME(scene) "/verify-test-" TEXT(scene)

static int data;

static void *locks(void *arg) {
  sem_t *semaphore = sem_open(NAME(SCENE), O_CREAT, 0600, 1);
  sem_wait(semaphore);
  data++;
  sem_post(semaphore);
  assert(sem_close(semaphore) == 0);
  return arg;
}

static void *creates(void *arg) {
  sem_t *semaphore = sem_open(NAME(SCENE), O_CREAT | O_EXCL, 0600, 1);
  if (semaphore == SEM_FAILED)
    assert(errno == EEXIST);
  return semaphore;
}

static int value(sem_t *semaphore) {
  int value = -1;
  sem_getvalue(semaphore, &value);
  return value;
}

int main(void) {
  sem_unlink(NAME(SCENE));
  (void)locks, (void)creates, (void)value, (void)data;
#if SCENE <= 2
  pthread_t threads[2];
  void *results[2];
  for (int i = 0; i < 2; i++)
    pthread_create(&threads[i], 0, SCENE == 1 ? locks : creates, 0);
  for (int i = 0; i < 2; i++)
    pthread_join(threads[i], &results[i]);
  assert(data == (SCENE == 1 ? 2 : 0));
  assert(SCENE == 1 || !results[0] != !results[1]);
  assert(SCENE == 1 || sem_close(results[0] ? results[0] : results[1]) == 0);
  assert(sem_unlink(NAME(SCENE)) == 0);
#elif SCENE == 3
  sem_t *first = sem_open(NAME(SCENE), O_CREAT, 0600, 3);
  assert(sem_open(NAME(SCENE), 0) == first);
  sem_wait(first);
  assert(sem_close(first) == 0);
  assert(value(first) == 2);
  assert(sem_close(first) == 0);
  sem_t *second = sem_open(NAME(SCENE), O_CREAT, 0600, 7);
  assert(value(second) == 2);
  assert(sem_close(second) == 0);
  assert(sem_unlink(NAME(SCENE)) == 0);
#elif SCENE == 4
  sem_t *old = sem_open(NAME(SCENE), O_CREAT, 0600, 1);
  assert(sem_unlink(NAME(SCENE)) == 0);
  assert(sem_unlink(NAME(SCENE)) == -1 && errno == ENOENT);
  assert(sem_open(NAME(SCENE), 0) == SEM_FAILED && errno == ENOENT);
  sem_t *new = sem_open(NAME(SCENE), O_CREAT | O_EXCL, 0600, 5);
  assert(new != old && value(old) == 1 && value(new) == 5);
  assert(sem_close(old) == 0 && sem_close(new) == 0);
  assert(sem_unlink(NAME(SCENE)) == 0);
#else
  assert(sem_open("/", O_CREAT, 0600, 1) == SEM_FAILED && errno == EINVAL);
  assert(sem_open(NAME(SCENE), O_CREAT, 0600, -1) == SEM_FAILED && errno == EINVAL);
  sem_t other;
  sem_init(&other, 0, 1);
  assert(sem_close(&other) == -1 && errno == EINVAL);
#endif
}
