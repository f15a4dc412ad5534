//@ revisions: counted lost
//@[counted] verdict: safe
//@[lost] verdict: unsafe(data-race)
//@[lost] cflags: -DWITHOUT_LOCK
//@ source: by hand: a customer sits down only if a chair is free, and the barber cuts as many as sat down; without the lock two customers count the chairs at once
// A barber sleeps until a customer comes; customers who find no chair go away.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

#define CUSTOMERS 2
#define CHAIRS 1

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static sem_t customers, barber;
static int waiting, served, left;

static void *customer(void *arg) {
#ifdef WITHOUT_LOCK
  if (waiting == CHAIRS) return 0; //~[lost] data-race
  waiting++;
#else
  pthread_mutex_lock(&lock);
  if (waiting == CHAIRS) {
    left++;
    pthread_mutex_unlock(&lock);
    return 0;
  }
  waiting++;
  assert(waiting <= CHAIRS);
  pthread_mutex_unlock(&lock);
#endif
  sem_post(&customers);
  sem_wait(&barber);
  return 0;
}

int main(void) {
  pthread_t threads[CUSTOMERS];
  sem_init(&customers, 0, 0);
  sem_init(&barber, 0, 0);
  for (int i = 0; i < CUSTOMERS; i++) pthread_create(&threads[i], 0, customer, 0);
  sem_wait(&customers);
#ifndef WITHOUT_LOCK
  pthread_mutex_lock(&lock);
  waiting--;
  served++;
  pthread_mutex_unlock(&lock);
#endif
  sem_post(&barber);
  // Who comes later may find the chair free again.
  if (sem_trywait(&customers) == 0) sem_post(&barber);
#ifndef WITHOUT_LOCK
  pthread_mutex_lock(&lock);
  assert(served == 1 && waiting <= CHAIRS && left <= CUSTOMERS - 1);
  pthread_mutex_unlock(&lock);
#endif
}
