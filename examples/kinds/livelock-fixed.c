// If both want to go, it is the turn of one of them (Peterson's algorithm).
#include <pthread.h>
#include <stdatomic.h>

static atomic_int wants[2], turn;
static int meals; // only who is alone changes it

static void *eater(void *seat) {
  int me = *(int *)seat, other = 1 - me;
  wants[me] = 1;
  turn = other;
  while (wants[other] && turn == other)
    ;
  meals++;
  wants[me] = 0;
  return 0;
}

int main(void) {
  int seats[] = {0, 1};
  pthread_t threads[2];
  for (int i = 0; i < 2; i++)
    pthread_create(&threads[i], 0, eater, &seats[i]);
  for (int i = 0; i < 2; i++)
    pthread_join(threads[i], 0);
}
