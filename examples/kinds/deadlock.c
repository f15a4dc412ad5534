// Two transfers in opposite directions; each locks the account that it takes from first.
#include <pthread.h>

struct account {
  pthread_mutex_t lock;
  int balance;
};

static struct account ann = {PTHREAD_MUTEX_INITIALIZER, 100};
static struct account bob = {PTHREAD_MUTEX_INITIALIZER, 100};

static void transfer(struct account *from, struct account *to, int amount) {
  pthread_mutex_lock(&from->lock);
  pthread_mutex_lock(&to->lock);
  from->balance -= amount;
  to->balance += amount;
  pthread_mutex_unlock(&to->lock);
  pthread_mutex_unlock(&from->lock);
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
