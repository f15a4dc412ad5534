// A ring of two cells between one producer and one consumer, both under the lock. What is taken out grows, since nothing is
// put in while both cells are full.
#include "../verifier.h"

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int cells[2], used, head, tail;

void *produce(void *p) {
  for (int value = 1; value <= 3; value++) {
    pthread_mutex_lock(&m);
    if (used < 2) {
      cells[tail] = value;
      tail = (tail + 1) % 2;
      used++;
    }
    pthread_mutex_unlock(&m);
  }
  return p;
}

void *consume(void *p) {
  int last = 0;
  for (int i = 0; i < 3; i++) {
    pthread_mutex_lock(&m);
    if (used > 0) {
      int value = cells[head];
      head = (head + 1) % 2;
      used--;
      check(value > last && used <= 1);
      last = value;
    }
    pthread_mutex_unlock(&m);
  }
  return p;
}

int main(void) {
  pthread_t a = start(produce, 0), b = start(consume, 0);
  join(a);
  join(b);
}
