// A list with room for two, and three who write into it.
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int list[2];
static int length;

static int has_room(void) {
  pthread_mutex_lock(&lock);
  int room = length < 2;
  pthread_mutex_unlock(&lock);
  return room;
}

static void *add(void *number) {
  if (has_room()) {
    pthread_mutex_lock(&lock); // is there still room?
    list[length] = *(int *)number;
    length++;
    pthread_mutex_unlock(&lock);
  }
  return 0;
}

int main(void) {
  int numbers[] = {1, 2, 3};
  pthread_t threads[3];
  for (int i = 0; i < 3; i++)
    pthread_create(&threads[i], 0, add, &numbers[i]);
  for (int i = 0; i < 3; i++)
    pthread_join(threads[i], 0);
}
