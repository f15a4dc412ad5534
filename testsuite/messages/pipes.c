//@ verdict: safe
//@ native: run
//@ revisions: records end pieces bytes sockets
//@[records] cflags: -DSCENE=1
//@[records] executions: 1
//@[end] cflags: -DSCENE=2
//@[end] executions: 1
//@[pieces] cflags: -DSCENE=3
//@[pieces] executions: 2
//@[bytes] cflags: -DSCENE=4
//@[bytes] executions: 3
//@[sockets] cflags: -DSCENE=5
//@[sockets] executions: 1
//@[records] naive: no
//@[end] naive: no
//@ source: by hand: what is read is what was written in one go; up to 4 bytes, behind one write of 2 or both; the second write comes before, between or behind the reads of two bytes
// Streams between two threads: read as it was written, up to the end, in other pieces, and in both directions.
#include <assert.h>
#include <pthread.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static int ends[2], value;

static void *worker(void *arg) {
  int number;
#if SCENE <= 2
  for (int i = 1; i <= 5; i++)
    assert(write(ends[1], &i, sizeof i) == sizeof i);
  value = 7;
#elif SCENE == 3
  assert(write(ends[1], "ab", 2) == 2 && write(ends[1], "cd", 2) == 2);
#elif SCENE == 4
  assert(write(ends[1], "ab", 2) == 2 && write(ends[1], "c", 1) == 1);
#else
  assert(recv(ends[1], &number, sizeof number, 0) == sizeof number);
  number++;
  assert(send(ends[1], &number, sizeof number, 0) == sizeof number);
#endif
  close(ends[1]);
  return (void)number, arg;
}

int main(void) {
  pthread_t thread;
  char text[8] = "";
  int number = 41;
  assert((SCENE == 5 ? socketpair(AF_UNIX, SOCK_STREAM, 0, ends) : pipe(ends)) == 0);
  pthread_create(&thread, 0, worker, 0);
#if SCENE <= 2
  for (int i = 1; i <= 5; i++)
    assert(read(ends[0], &number, sizeof number) == sizeof number && number == i);
  if (SCENE == 2)
    assert(read(ends[0], &number, sizeof number) == 0 && value == 7);
#elif SCENE == 3
  for (int size = 0; size < 4;)
    size += (int)read(ends[0], text + size, 4);
  assert(!strcmp(text, "abcd"));
#elif SCENE == 4
  assert(read(ends[0], text, 1) == 1 && read(ends[0], text + 1, 1) == 1 && read(ends[0], text + 2, 1) == 1);
  assert(!strcmp(text, "abc"));
#else
  assert(write(ends[0], &number, sizeof number) == sizeof number);
  assert(read(ends[0], &number, sizeof number) == sizeof number && number == 42);
  assert(read(ends[0], text, 1) == 0);
#endif
  pthread_join(thread, 0);
  assert(close(ends[0]) == 0);
}
