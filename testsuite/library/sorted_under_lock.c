// The comparison takes a lock, so a sort is interrupted: both orders of the two critical sections, for one comparison each.
//@ verdict: safe
//@ executions: 2
//@ source: main and the thread each lock once, both orders
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int comparisons;

static int compare(const void *a, const void *b) {
  pthread_mutex_lock(&lock);
  comparisons++;
  pthread_mutex_unlock(&lock);
  return *(const int *)a - *(const int *)b;
}

static void *sort(void *array) {
  qsort(array, 2, sizeof(int), compare);
  return NULL;
}

int main(void) {
  int mine[2] = {2, 1}, others[2] = {4, 3};
  pthread_t thread;
  pthread_create(&thread, NULL, sort, others);
  sort(mine);
  pthread_join(thread, NULL);
  assert(mine[0] == 1 && others[0] == 3 && comparisons == 2);
  return 0;
}
