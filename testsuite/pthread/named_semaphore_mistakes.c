//@ revisions: closed never gone
//@[closed] verdict: unsafe(memory)
//@[closed] cflags: -DSCENE=1
//@[never] verdict: unsafe(deadlock)
//@[never] cflags: -DSCENE=2
//@[gone] verdict: unsafe(assertion)
//@[gone] cflags: -DSCENE=3
//@ source: by hand: used after it is closed; nobody ever posts; the name may be gone before the semaphore is opened
// Mistakes with semaphores that have names.
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>

static void *worker(void *arg) {
  sem_unlink("/name");
  return arg;
}

int main(void) {
  pthread_t thread;
  sem_t *semaphore = sem_open("/name", O_CREAT, 0600, SCENE == 1);
#if SCENE == 1
  sem_close(semaphore);
  sem_wait(semaphore); //~[closed] memory
#elif SCENE == 2
  sem_wait(semaphore); //~[never] deadlock
#endif
  pthread_create(&thread, 0, worker, 0);
  assert(sem_open("/name", 0) == semaphore); //~[gone] assertion
  pthread_join(thread, 0);
}
