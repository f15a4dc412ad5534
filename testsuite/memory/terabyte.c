//@ verdict: safe
//@ revisions: mapped zeros block global local own small_own
//@[mapped] cflags: -DBLOCK=mmap(0,SIZE,3,0x22,-1,0) -DGIVE_BACK=munmap(block,SIZE)
//@[zeros] cflags: -DBLOCK=calloc(SIZE,1) -DGIVE_BACK=free(block)
//@[block] cflags: -DBLOCK=malloc(SIZE) -DGIVE_BACK=free(block) -DCLEAR
//@[global] cflags: -DBLOCK=global -DGIVE_BACK=0
//@[local] cflags: -DBLOCK=local -DGIVE_BACK=0 -DCLEAR
//@[own] cflags: -DBLOCK=global -DGIVE_BACK=0 -DOWN=SIZE
//@[small_own] cflags: -DBLOCK=global -DGIVE_BACK=0 -DOWN=8192
//@[local] states: no
//@[own] states: no
//@ executions: 90
//@ naive: no
//@ source: by hand: three threads lock one mutex twice each: 6!/(2!)^3 orders, whatever lies in the memory
// A terabyte, of which three bytes are used.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#define SIZE (1ul << 40)

static char global[SIZE];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char *block;
static int count;

static void *worker(void *arg) {
  for (int i = 0; i < 2; i++) {
#ifdef OWN
    char own[OWN]; // its life begins anew each time
    memset(own + OWN - 2, i, 2);
    assert(own[OWN - 1] == i);
#endif
    pthread_mutex_lock(&lock);
    block[0]++;
    block[SIZE / 2]++;
    block[SIZE - 1]++;
    count++;
    pthread_mutex_unlock(&lock);
  }
  return arg;
}

int main(void) {
  char local[SIZE];
  pthread_t threads[3];
  (void)local;
  block = BLOCK;
#ifdef CLEAR
  block[0] = block[SIZE / 2] = block[SIZE - 1] = 0;
#endif
  for (int i = 0; i < 3; i++)
    pthread_create(&threads[i], 0, worker, 0);
  for (int i = 0; i < 3; i++)
    pthread_join(threads[i], 0);
  assert(block[0] == count && block[SIZE / 2] == 6 && block[SIZE - 1] == 6);
  (void)GIVE_BACK;
}
