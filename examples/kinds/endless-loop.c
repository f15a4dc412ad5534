// A search by halves: where is the first number that is not smaller than the wanted one?
#include <pthread.h>
#include <stdio.h>

static const int numbers[] = {2, 3, 5, 7, 11, 13};

static void *search(void *argument) {
  int wanted = *(int *)argument;
  int low = 0, high = 6;
  while (low < high) {
    int middle = (low + high) / 2;
    if (numbers[middle] < wanted)
      low = middle;
    else
      high = middle;
  }
  printf("%d\n", low);
  return 0;
}

int main(void) {
  int wanted[] = {2, 6};
  pthread_t thread;
  pthread_create(&thread, 0, search, &wanted[1]);
  search(&wanted[0]);
  pthread_join(thread, 0);
}
