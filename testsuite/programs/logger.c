//@ revisions: freed forgotten
//@[freed] verdict: safe
//@[forgotten] verdict: unsafe(leak)
//@[forgotten] cflags: -DFORGET
//@ source: by hand: the sentinel comes last, and all that was queued before is taken out and freed
// A logger thread takes messages from a queue until a sentinel comes.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct message {
  struct message *next;
  int text;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t more = PTHREAD_COND_INITIALIZER;
static struct message *first, **last = &first;
static int logged;

static void put(int text) {
  struct message *message = malloc(sizeof *message); //~[forgotten] leak
  message->next = 0;
  message->text = text;
  pthread_mutex_lock(&lock);
  *last = message;
  last = &message->next;
  pthread_cond_signal(&more);
  pthread_mutex_unlock(&lock);
}

static void *logger(void *arg) {
  for (int text = -1; text;) {
    pthread_mutex_lock(&lock);
    while (!first) pthread_cond_wait(&more, &lock);
    struct message *message = first;
    first = message->next;
    if (!first) last = &first;
    pthread_mutex_unlock(&lock);
    text = message->text;
    logged += text;
#ifndef FORGET
    free(message);
#endif
  }
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, logger, 0);
  put(1);
  put(2);
  put(0);
  pthread_join(thread, 0);
  assert(logged == 3);
}
