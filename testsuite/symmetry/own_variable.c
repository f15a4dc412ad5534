//@ verdict: unsafe(assertion)
//@ alike: 2
//@ source: the digits of an address of a variable of its own tell which thread has come first
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
static atomic_int count;
static char names[2][40];

static void *thread(void *arg) {
  int own = 0;
  int place = atomic_fetch_add(&count, 1);
  snprintf(names[place], sizeof names[place], "%p", (void *)&own);
  return 0;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, thread, 0);
  pthread_create(&second, 0, thread, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  assert(strcmp(names[0], names[1]) < 0); //~ assertion
  return 0;
}
