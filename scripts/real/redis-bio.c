// Redis' background threads (src/bio.c): the server hands over two files to close and one to synchronise, and an object
// to free, waits for each kind of job, and ends the threads. Of the server there is only what bio.c uses.
#include "server.h"
#include "bio.h"
#include <assert.h>

struct redisServer server;
static int freed;

void _serverLog(int level, const char *format, ...) {
}

void _serverPanic(const char *file, int line, const char *message, ...) {
  abort();
}

// As server.c says it.
void redisSetCpuAffinity(const char *list) {
  setcpuaffinity(list);
}

// As debug.c says it.
void makeThreadKillable(void) {
  pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, NULL);
  pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, NULL);
}

static void release(void *arguments[]) {
  freed += *(int *)arguments[0];
  free(arguments[0]);
}

static void wait_for(int type) {
  while (bioPendingJobsOfType(type))
    bioWaitStepOfType(type);
}

int main(void) {
  int *object = malloc(sizeof *object);
  *object = 7;
  int file = open("appended", O_CREAT | O_RDWR, 0600);
  assert(file >= 0);
  bioInit();
  bioCreateFsyncJob(file);
  bioCreateLazyFreeJob(release, 1, object);
  wait_for(BIO_AOF_FSYNC);
  bioCreateCloseJob(file, 1);
  wait_for(BIO_LAZY_FREE);
  assert(freed == 7);
  wait_for(BIO_CLOSE_FILE);
  assert(fcntl(file, F_GETFD) == -1);
  bioKillThreads();
}
