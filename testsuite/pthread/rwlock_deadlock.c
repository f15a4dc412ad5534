//@ verdict: unsafe(deadlock)
//@ revisions: upgrade again downgrade crossed two_readers
//@[upgrade] cflags: -DSCENE=1
//@[again] cflags: -DSCENE=2
//@[downgrade] cflags: -DSCENE=3
//@[crossed] cflags: -DSCENE=4
//@[two_readers] cflags: -DSCENE=5
//@ source: by hand: a writer waits for every reader, so for itself; and of two that read and then want to write, each waits for the other
// Locks of one kind on top of another.
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *reader(void *arg) {
#if SCENE == 4
  pthread_mutex_lock(&mutex);
  pthread_rwlock_rdlock(&lock); //~[crossed] deadlock
  pthread_rwlock_unlock(&lock);
  pthread_mutex_unlock(&mutex);
#elif SCENE == 5
  pthread_rwlock_rdlock(&lock);
  pthread_mutex_lock(&mutex); //~[two_readers] deadlock
  pthread_mutex_unlock(&mutex);
  pthread_rwlock_unlock(&lock);
#endif
  return 0;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; i++)
    pthread_create(&threads[i], 0, reader, 0);
#if SCENE == 1
  pthread_rwlock_rdlock(&lock);
  pthread_rwlock_wrlock(&lock); //~[upgrade] deadlock
#elif SCENE == 2
  pthread_rwlock_wrlock(&lock);
  pthread_rwlock_wrlock(&lock); //~[again] deadlock
#elif SCENE == 3
  pthread_rwlock_wrlock(&lock);
  pthread_rwlock_rdlock(&lock); //~[downgrade] deadlock
#elif SCENE == 4
  pthread_rwlock_wrlock(&lock);
  pthread_mutex_lock(&mutex); //~[crossed] deadlock
  pthread_mutex_unlock(&mutex);
  pthread_rwlock_unlock(&lock);
#else
  pthread_mutex_lock(&mutex);
  pthread_rwlock_wrlock(&lock); //~[two_readers] deadlock
  pthread_rwlock_unlock(&lock);
  pthread_mutex_unlock(&mutex);
#endif
  for (int i = 0; i < 2; i++)
    pthread_join(threads[i], 0);
}
