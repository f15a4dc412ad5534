// What library code does counts as done where the program calls it.
//@ verdict: unsafe(data-race)
#include <pthread.h>
#include <stdlib.h>

static int numbers[3] = {3, 1, 2};

static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

static void *sort(void *unused) {
  qsort(numbers, 3, sizeof(int), compare); //~ data-race
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, sort, NULL);
  int first = numbers[0]; //~ data-race
  pthread_join(thread, NULL);
  return first == 42;
}
