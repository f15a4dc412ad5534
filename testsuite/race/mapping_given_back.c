//@ revisions: atomic lock
//@ verdict: unsafe(memory)
//@[lock] cflags: -DLOCK
// A thread uses a page that another one gives back, which nothing orders: too late, or at the same time. The way there
// is not complete without the creation of the thread that gives it back.
#include <pthread.h>
#include <stdatomic.h>
#include <sys/mman.h>
enum { PAGE = 4096 };
static char *pages;

static void *uses(void *arg) {
#ifdef LOCK
  pthread_mutex_lock((pthread_mutex_t *)(pages + PAGE)); //~[lock] memory data-race
#else
  atomic_load((atomic_int *)(pages + PAGE)); //~[atomic] memory data-race
#endif
  return arg;
}

static void *gives_back(void *arg) {
  munmap(pages + PAGE, PAGE); //~ data-race memory
  return arg;
}

int main(void) {
  pthread_t one, other;
  pages = mmap(0, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  pthread_create(&one, 0, uses, 0);
  pthread_create(&other, 0, gives_back, 0);
  pthread_join(one, 0);
  pthread_join(other, 0);
}
