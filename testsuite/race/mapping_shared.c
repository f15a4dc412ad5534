//@ revisions: ordered late unlocked commutes protected
//@[ordered commutes] verdict: safe
//@[ordered] executions: 2
//@[ordered] source: two threads lock one mutex once each, in either order, and `main` joins before it unmaps
//@[commutes] executions: 1
//@[commutes] source: nothing that the threads do is an action besides creation, end and join
//@[late] verdict: unsafe(memory)
//@[late] cflags: -DLATE
//@[unlocked] verdict: unsafe(data-race)
//@[unlocked] cflags: -DUNLOCKED
//@[commutes] cflags: -DCOMMUTES
//@[protected] verdict: unknown(changes its rights (mprotect), which nothing orders with that)
//@[protected] cflags: -DPROTECTED
// A thread uses a part of a mapping that another one gives back or protects.
#include <assert.h>
#include <pthread.h>
#include <sys/mman.h>
enum { PAGE = 4096 };
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static char *pages;
static int given_back;

static void *uses(void *arg) {
#if defined UNLOCKED || defined PROTECTED
  pages[PAGE] = 1; //~[unlocked] data-race
#elif defined COMMUTES
  assert(pages[PAGE] == 0);
#else
  pthread_mutex_lock(&mutex);
#ifndef LATE
  if (!given_back)
#endif
    pages[PAGE] = 1; //~[late] memory
  pthread_mutex_unlock(&mutex);
#endif
  return arg;
}

int main(void) {
  pthread_t thread;
  pages = mmap(0, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  pthread_create(&thread, 0, uses, 0);
#if defined COMMUTES || defined PROTECTED
  assert(mprotect(pages + PAGE, PAGE, PROT_READ) == 0);
#elif defined UNLOCKED
  assert(munmap(pages + PAGE, PAGE) == 0); //~[unlocked] data-race memory
#else
  pthread_mutex_lock(&mutex);
  assert(munmap(pages + PAGE, PAGE) == 0);
  given_back = 1;
  pthread_mutex_unlock(&mutex);
#endif
  pthread_join(thread, 0);
  assert(munmap(pages, 2 * PAGE) == 0);
}
