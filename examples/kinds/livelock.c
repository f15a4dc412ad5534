// Each thread lets the other one go first, if that wants to go as well.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int wants[2];
static int meals; // only who is alone changes it

static void *eater(void *seat) {
  int me = *(int *)seat, other = 1 - me;
  wants[me] = 1;
  while (wants[other])
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
