//@ revisions: forgotten signal race full files
//@[forgotten] verdict: unsafe(deadlock)
//@[forgotten] cflags: -DSCENE=1
//@[signal] verdict: unknown(the default action of a signal)
//@[signal] cflags: -DSCENE=2
//@[race] verdict: unsafe(data-race)
//@[race] cflags: -DSCENE=3
//@[full] verdict: unknown(limit: more than 4096 bytes wait)
//@[full] cflags: -DSCENE=4
//@[files] verdict: unknown(fdopen of a pipe or socket is not modelled)
//@[files] cflags: -DSCENE=5
// An end that nobody closes, one that nobody reads from, what is written behind a message, and what is not modelled.
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static int ends[2], data;

static void *worker(void *arg) {
  write(ends[1], "a", 1);
  data = 1; //~[race] data-race
  return arg;
}

int main(void) {
  static char block[40000];
  pthread_t thread;
  char text[2];
  pipe(ends);
#if SCENE == 1
  pthread_create(&thread, 0, worker, 0);
  // Nobody closes the end that is written to.
  while (read(ends[0], text, 1) > 0) //~[forgotten] deadlock
    ;
#elif SCENE == 2
  close(ends[0]);
  write(ends[1], "a", 1);
#elif SCENE == 3
  pthread_create(&thread, 0, worker, 0);
  read(ends[0], text, 1);
  data = 2; //~[race] data-race
#elif SCENE == 4
  write(ends[1], block, sizeof block);
  write(ends[1], block, sizeof block);
#else
  fdopen(ends[0], "r");
#endif
  (void)block, (void)text, (void)thread;
}
