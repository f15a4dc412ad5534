//@ revisions: fixed broken
//@ args: --symbolic-stdin 2
//@[fixed] verdict: safe
//@[broken] verdict: unsafe(assertion)
//@[broken] cflags: -DBROKEN
// One thread reads standard input and hands each byte to another one. The end is a value of its own. BROKEN: as a character it is
// the same as the byte 255.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

#ifdef BROKEN
typedef char slot;
#else
typedef int slot;
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static slot value;
static int is_full, sent, received;

static void *reader(void *unused) {
  for (int byte = 0; byte != EOF; sent += byte != EOF) {
    byte = getchar();
    pthread_mutex_lock(&lock);
    while (is_full)
      pthread_cond_wait(&changed, &lock);
    value = (slot)byte;
    is_full = 1;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
  }
  return unused;
}

static void *worker(void *unused) {
  for (slot got = 0; got != EOF; received += got != EOF) {
    pthread_mutex_lock(&lock);
    while (!is_full)
      pthread_cond_wait(&changed, &lock);
    got = value;
    is_full = 0;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
    if (got == EOF)
      break;
  }
  return unused;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, reader, NULL);
  pthread_create(&threads[1], NULL, worker, NULL);
  pthread_join(threads[1], NULL);
  // What is left over would be waited for in vain.
  pthread_mutex_lock(&lock);
  assert(!is_full); //~[broken] assertion
  pthread_mutex_unlock(&lock);
  return 0;
}
