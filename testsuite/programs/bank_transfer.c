//@ revisions: crossed ordered
//@[crossed] verdict: unsafe(deadlock)
//@[crossed] cflags: -DCROSSED
//@[ordered] verdict: safe
//@[ordered] executions: 2
//@[ordered] native: run
//@[ordered] orders: 2
//@ source: two transfers between the same accounts; with ordered locks whoever gets the first lock goes first
// Money moves between two accounts, in both directions at once. Locks are taken in the order of the accounts, or else each
// thread may hold the one that the other wants.
#include "../threads.h"
#include <assert.h>
static struct account {
  pthread_mutex_t lock;
  int balance;
} accounts[2] = {{PTHREAD_MUTEX_INITIALIZER, 100}, {PTHREAD_MUTEX_INITIALIZER, 100}};

static void transfer(int from, int to, int amount) {
#ifdef CROSSED
  int first = from, second = to;
#else
  int first = from < to ? from : to, second = from < to ? to : from;
#endif
  pthread_mutex_lock(&accounts[first].lock);
  pthread_mutex_lock(&accounts[second].lock); //~[crossed] deadlock
  accounts[from].balance -= amount;
  accounts[to].balance += amount;
  pthread_mutex_unlock(&accounts[second].lock);
  pthread_mutex_unlock(&accounts[first].lock);
}

static void *clerk(void *arg) {
  int from = (int)(long)arg;
  transfer(from, 1 - from, 10 * (from + 1));
  return 0;
}

int main(void) {
  run_copies(2, clerk);
  assert(accounts[0].balance == 110 && accounts[1].balance == 90);
  return 0;
}
