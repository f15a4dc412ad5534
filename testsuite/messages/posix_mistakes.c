//@ revisions: full circle wrong_order notify
//@[full] verdict: unsafe(deadlock)
//@[full] cflags: -DSCENE=1
//@[circle] verdict: unsafe(deadlock)
//@[circle] cflags: -DSCENE=2
//@[wrong_order] verdict: unsafe(assertion)
//@[wrong_order] cflags: -DSCENE=3
//@[notify] verdict: unknown(mq_notify is not modelled)
//@[notify] cflags: -DSCENE=4
// A queue that nobody empties, threads that wait for each other's answer, and an order that nothing promises.
#include <assert.h>
#include <fcntl.h>
#include <mqueue.h>
#include <pthread.h>

static mqd_t questions, answers;

static mqd_t make(const char *name) {
  struct mq_attr attributes = {.mq_maxmsg = 2, .mq_msgsize = 1};
  return mq_open(name, O_RDWR | O_CREAT, 0600, &attributes);
}

static void *worker(void *arg) {
  char byte = 1;
#if SCENE == 2
  mq_receive(questions, &byte, 1, 0);
  mq_send(answers, &byte, 1, 0);
#else
  mq_send(questions, &byte, 1, (unsigned)(long)arg);
#endif
  return 0;
}

int main(void) {
  pthread_t thread;
  char byte = 0;
  unsigned priority = 0;
  questions = make("/questions");
  answers = make("/answers");
#if SCENE == 1
  for (int i = 0; i < 3; i++)
    mq_send(questions, &byte, 1, 0); //~[full] deadlock
#elif SCENE == 2
  pthread_create(&thread, 0, worker, 0);
  mq_receive(answers, &byte, 1, 0); //~[circle] deadlock
  mq_send(questions, &byte, 1, 0);
#elif SCENE == 3
  pthread_create(&thread, 0, worker, (void *)2);
  mq_send(questions, &byte, 1, 1);
  mq_receive(questions, &byte, 1, &priority);
  assert(priority == 2); //~[wrong_order] assertion
#else
  mq_notify(questions, 0);
#endif
  mq_unlink("/questions");
  mq_unlink("/answers");
}
