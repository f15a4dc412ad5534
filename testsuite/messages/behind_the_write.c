//@ verdict: unsafe(data-race)
//@ revisions: in_one_go in_pieces
//@[in_one_go] cflags: -DTEXT="a"
//@[in_pieces] cflags: -DTEXT="ab"
// Who reads what is in a pipe knows what was done before it was written, but not what was done before the end was closed.
#include <pthread.h>
#include <unistd.h>
static int ends[2], x;

static void *reader(void *arg) {
  char c;
  if (read(ends[0], &c, 1) == 1)
    return (void *)(long)x; //~ data-race
  return 0;
}

int main(void) {
  pthread_t thread;
  pipe(ends);
  pthread_create(&thread, 0, reader, 0);
  write(ends[1], TEXT, sizeof TEXT - 1);
  x = 1; //~ data-race
  close(ends[1]);
  pthread_join(thread, 0);
  return 0;
}
