// Whichever way the money goes, the account with the smaller number is locked first.
#include <pthread.h>

struct account {
  int number;
  pthread_mutex_t lock;
  int balance;
};

static struct account ann = {1, PTHREAD_MUTEX_INITIALIZER, 100};
static struct account bob = {2, PTHREAD_MUTEX_INITIALIZER, 100};

static void transfer(struct account *from, struct account *to, int amount) {
  struct account *first = from->number < to->number ? from : to;
  struct account *second = first == from ? to : from;
  pthread_mutex_lock(&first->lock);
  pthread_mutex_lock(&second->lock);
  from->balance -= amount;
  to->balance += amount;
  pthread_mutex_unlock(&second->lock);
  pthread_mutex_unlock(&first->lock);
}

static void *other(void *unused) {
  transfer(&bob, &ann, 20);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, other, 0);
  transfer(&ann, &bob, 10);
  pthread_join(thread, 0);
}
