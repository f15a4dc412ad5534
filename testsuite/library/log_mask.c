//@ verdict: safe
//@ executions: 2
//@ source: POSIX: setlogmask returns the mask before, and 0 only asks; whoever comes second of two threads sees what the other one has set
#include <assert.h>
#include <pthread.h>
#include <syslog.h>
static int before[2];

static void *set(void *own) {
  *(int *)own = setlogmask(own == before ? 3 : 5);
  return 0;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; i++)
    pthread_create(&threads[i], 0, set, &before[i]);
  for (int i = 0; i < 2; i++)
    pthread_join(threads[i], 0);
  int last = setlogmask(0);
  assert(last == 5 ? before[0] == 0xff && before[1] == 3 : before[1] == 0xff && before[0] == 5);
  assert(setlogmask(0) == last);
  return 0;
}
