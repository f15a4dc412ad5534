//@ revisions: start inside behind packed table chain local result exit_stack m32
//@ verdict: safe
//@[start] cflags: -DKEEP=start()
//@[inside] cflags: -DKEEP=inside()
//@[behind] cflags: -DKEEP=behind()
//@[packed] cflags: -DKEEP=in_packed()
//@[table] cflags: -DKEEP=in_table()
//@[chain] cflags: -DKEEP=chain()
//@[local] cflags: -DKEEP=thread_local()
//@[result] cflags: -DKEEP=result()
//@[exit_stack] cflags: -DKEEP=exit_stack()
//@[m32] cflags: -DKEEP=in_packed()
//@[m32] args: -m32
//@ executions: 1
//@ source: threads take no action besides creation, end and the end of the process, which are independent
// Nothing is freed, but something leads to every block when the process ends.
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
static char *kept;

static void start(void) { kept = malloc(8); }

static void inside(void) { kept = (char *)malloc(8) + 5; }

static void behind(void) { kept = (char *)malloc(8) + 8; }

static struct __attribute__((packed)) {
  char tag;
  char *pointer;
} packed;

static void in_packed(void) { packed.pointer = malloc(8); }

static char *table[3];

static void in_table(void) {
  for (int i = 0; i < 3; i++)
    table[i] = malloc(1);
}

static void chain(void) {
  char **first = malloc(sizeof *first), **second = malloc(sizeof *second);
  *first = (char *)second;
  *second = malloc(3);
  kept = (char *)first;
}

static _Thread_local char *own;

static void thread_local(void) { own = malloc(8); }

// exit is called while the caller's variable still exists.
static void exit_stack(void) {
  char *volatile block = malloc(8);
  (void)block;
  exit(0);
}

static void *make(void *arg) {
  (void)arg;
  return malloc(4);
}

// Somebody could still join the thread.
static void result(void) {
  pthread_t t;
  pthread_create(&t, 0, make, 0);
}

int main(void) {
  KEEP;
  (void)start, (void)inside, (void)behind, (void)in_packed, (void)in_table, (void)chain;
  (void)thread_local, (void)exit_stack, (void)result;
  return 0;
}
