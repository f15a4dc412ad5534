//@ revisions: split whole
//@[split] verdict: unsafe(assertion)
//@[split] samples: 30
//@[whole] verdict: safe
//@[whole] cflags: -DWHOLE
//@[whole] executions: 6
//@ source: 3! orders of three critical sections
// After the program "account": a withdrawal that looks at the balance in one section and changes it in another one.
#include "threads_of.h"
#include <assert.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int balance = 100, paid, drawn;

static void *deposit(void *arg) {
  pthread_mutex_lock(&lock);
  balance += 30;
  paid = 1;
  pthread_mutex_unlock(&lock);
  return arg;
}

static void *withdraw(void *arg) {
  pthread_mutex_lock(&lock);
  int seen = balance;
#ifndef WHOLE
  pthread_mutex_unlock(&lock);
  pthread_mutex_lock(&lock);
#endif
  balance = seen - 50;
  drawn = 1;
  pthread_mutex_unlock(&lock);
  return arg;
}

static void *audit(void *arg) {
  pthread_mutex_lock(&lock);
  assert(balance == 100 + 30 * paid - 50 * drawn); //~[split] assertion
  pthread_mutex_unlock(&lock);
  return arg;
}

int main(void) {
  run_many(0, 0, 3, (routine *const[]){deposit, withdraw, audit});
  return 0;
}
