//@ verdict: safe
//@ revisions: open creat close read write fopen fclose fgetc fgets fprintf fseek fscanf unlink sem_open syslog printf
//@[open] cflags: -DCALL=A_open -DMUST
//@[creat] cflags: -DCALL=A_creat -DMUST
//@[close] cflags: -DCALL=A_close -DMUST
//@[read] cflags: -DCALL=A_read -DMUST
//@[write] cflags: -DCALL=A_write -DMUST
//@[fopen] cflags: -DCALL=A_fopen
//@[fclose] cflags: -DCALL=A_fclose
//@[fgetc] cflags: -DCALL=A_fgetc
//@[fgets] cflags: -DCALL=A_fgets
//@[fprintf] cflags: -DCALL=A_fprintf
//@[fseek] cflags: -DCALL=A_fseek
//@[fscanf] cflags: -DCALL=A_fscanf
//@[unlink] cflags: -DCALL=A_unlink
//@[sem_open] cflags: -DCALL=A_sem_open
//@[syslog] cflags: -DCALL=A_syslog
//@[printf] cflags: -DCALL=A_printf
//@[open creat close read write] executions: 1
//@[fopen fclose fgetc fgets fprintf fseek fscanf unlink sem_open syslog printf] executions: 2
//@ source: by hand: a request made before the call of a point is acted upon before that returns (POSIX 2.9.5.2), and the mutex orders it before; where the rules leave it open, both happen
// Functions of the library that are cancellation points: those that must be, and those that may.
#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <syslog.h>
#include <unistd.h>

#define A_open open("f", O_RDONLY)
#define A_creat creat("f", 0600)
#define A_close close(file)
#define A_read read(file, buffer, 1)
#define A_write write(file, buffer, 1)
#define A_fopen fopen("none", "r")
#define A_fclose fclose(stream)
#define A_fgetc fgetc(stream)
#define A_fgets fgets(buffer, 2, stream)
#define A_fprintf fprintf(stream, "x")
#define A_fseek fseek(stream, 0, SEEK_SET)
#define A_fscanf fscanf(stream, "%1s", buffer)
#define A_unlink unlink("f")
#define A_sem_open sem_open("/f", O_CREAT, 0600, 1u)
#define A_syslog syslog(0, "x")
#define A_printf printf("x")

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int file, passed;
static FILE *stream;
static char buffer[8];

static void *worker(void *arg) {
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  (void)CALL;
#ifdef MUST
  assert(0);
#endif
  passed = 1;
  return 0;
}

int main(void) {
  pthread_t thread;
  void *result = 0;
  file = open("f", O_RDWR | O_CREAT, 0600);
  stream = fopen("g", "w+");
  pthread_mutex_lock(&mutex);
  pthread_create(&thread, 0, worker, 0);
  pthread_cancel(thread);
  pthread_mutex_unlock(&mutex);
  pthread_join(thread, &result);
  assert(result == (passed ? 0 : PTHREAD_CANCELED));
}
