//@ verdict: unsafe(assertion)
//@ alike: 2
//@ source: either thread may be the one that comes first
// A context that was saved holds the number of its thread.
#include <assert.h>
#include <pthread.h>
#include <setjmp.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static jmp_buf buffer;
static unsigned long words[2];
static int count;

static void save(void) {
  setjmp(buffer);
}

static void *thread(void *arg) {
  pthread_mutex_lock(&mutex);
  save();
  words[count++] = ((unsigned long *)buffer)[1];
  pthread_mutex_unlock(&mutex);
  return 0;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, thread, 0);
  pthread_create(&second, 0, thread, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  assert(words[0] <= words[1]); //~ assertion
  return 0;
}
