//@ revisions: alone data_race
//@[alone] verdict: unsafe(endless-loop)
//@[data_race] verdict: unsafe(data-race)
//@[data_race] cflags: -DOTHER
//@[data_race] args: --interference sync
// Nobody can change what the loop reads; or somebody can, and then it is a race.
#include <pthread.h>
static int flag;

static void *setter(void *arg) {
  flag = 1; //~[data_race] data-race
  return 0;
}

int main(void) {
  pthread_t t;
#ifdef OTHER
  pthread_create(&t, 0, setter, 0);
#else
  t = 0;
#endif
  while (!flag); //~[data_race] data-race //~[alone] endless-loop
  return t != 0;
}
