//@ verdict: safe
//@ alike: 1
//@ source: main has joined the thread that waits before it grants the rights that the second thread needs, so that the second one knows of them; and either thread that comes second has waited for the first one to be counted. So there is one execution
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <sys/mman.h>
static atomic_int count;
static char *pages;
static sem_t semaphore;

static void *waits(void *arg) {
  sem_wait(&semaphore);
  return 0;
}

static void *thread(void *arg) {
  if (atomic_fetch_add(&count, 1) == 0)
    sem_post(&semaphore);
  else
    pages[0] = 1;
  return 0;
}

int main(void) {
  pthread_t first, second, other;
  sem_init(&semaphore, 0, 0);
  pages = mmap(0, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  pthread_create(&other, 0, waits, 0);
  pthread_create(&first, 0, thread, 0);
  pthread_join(other, 0);
  mprotect(pages, 4096, PROT_READ | PROT_WRITE);
  pthread_create(&second, 0, thread, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  return 0;
}
