//@ revisions: mutex initialised semaphore condition whole
//@[mutex] verdict: unknown(a mutex takes 40 bytes on the target, but `mutex` has room for 4)
//@[mutex] cflags: -DMUTEX=1
//@[initialised] verdict: unknown(a mutex takes 40 bytes on the target, but `mutex` has room for 4)
//@[initialised] cflags: -DMUTEX=1 -DINITIALISE
//@[semaphore] verdict: unknown(a semaphore takes 32 bytes on the target, but `semaphore` has room for 8)
//@[semaphore] cflags: -DMUTEX=10 -DSEMAPHORE=2
//@[condition] verdict: unknown(a condition variable takes 48 bytes on the target, but `condition` has room for 4)
//@[condition] cflags: -DMUTEX=10 -DSEMAPHORE=8 -DCONDITION=1
//@[whole] verdict: safe
//@[whole] cflags: -DMUTEX=10 -DSEMAPHORE=8 -DCONDITION=12
// The program declares types of its own for what the library keeps: what is written beyond them is no error of its code.
#ifndef SEMAPHORE
#define SEMAPHORE 8
#endif
#ifndef CONDITION
#define CONDITION 12
#endif
typedef struct { int words[MUTEX]; } pthread_mutex_t;
typedef struct { int words[SEMAPHORE]; } sem_t;
typedef struct { int words[CONDITION]; } pthread_cond_t;
int pthread_mutex_init(pthread_mutex_t *, const void *);
int pthread_mutex_lock(pthread_mutex_t *);
int pthread_mutex_unlock(pthread_mutex_t *);
int pthread_cond_signal(pthread_cond_t *);
int sem_init(sem_t *, int, unsigned);
int sem_wait(sem_t *);
static pthread_mutex_t mutex;
static pthread_cond_t condition;
static sem_t semaphore;

int main(void) {
#ifdef INITIALISE
  pthread_mutex_init(&mutex, 0);
#endif
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  sem_init(&semaphore, 0, 1);
  sem_wait(&semaphore);
  pthread_cond_signal(&condition);
  return 0;
}
