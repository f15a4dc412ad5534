//@ revisions: overwritten returned list ring inner dropped null_join realloc m32
//@ verdict: unsafe(leak)
//@[overwritten] cflags: -DLOSE=overwritten()
//@[returned] cflags: -DLOSE=returned()
//@[list] cflags: -DLOSE=list()
//@[ring] cflags: -DLOSE=ring()
//@[inner] cflags: -DLOSE=inner()
//@[dropped] cflags: -DLOSE=dropped()
//@[null_join] cflags: -DLOSE=null_join()
//@[realloc] cflags: -DLOSE=grown()
//@[m32] cflags: -DLOSE=list()
//@[m32] args: -m32
//@ executions: 1
//@ source: at most one thread besides main, which is joined at once
// Each function leaves a block behind to which nothing leads when main returns.
#include <pthread.h>
#include <stdlib.h>
struct node {
  struct node *next;
};
static struct node *kept;

static void overwritten(void) {
  kept = malloc(sizeof *kept); //~[overwritten] leak
  kept = 0;
}

static void returned(void) {
  int *local = malloc(sizeof *local); //~[returned] leak
  *local = 1;
}

// Only the first one is reported: who frees the list begins there.
static void list(void) {
  struct node *last = malloc(sizeof *last);
  last->next = 0;
  struct node *first = malloc(sizeof *first); //~[list m32] leak
  first->next = last;
}

// None of them is the first one.
static void ring(void) {
  struct node *pair[2];
  for (int i = 0; i < 2; i++)
    pair[i] = malloc(sizeof *pair[i]); //~[ring] leak
  pair[0]->next = pair[1];
  pair[1]->next = pair[0];
}

// The outer block is freed, what it led to is not.
static void inner(void) {
  struct node *outer = malloc(sizeof *outer);
  outer->next = malloc(sizeof *outer); //~[inner] leak
  free(outer);
}

static void *make(void *arg) {
  (void)arg;
  return malloc(4); //~[dropped null_join] leak
}

static void dropped(void) { make(0); }

// The result is gone once the thread has been joined.
static void null_join(void) {
  pthread_t t;
  pthread_create(&t, 0, make, 0);
  pthread_join(t, 0);
}

static void grown(void) {
  char *p = malloc(4);
  p = realloc(p, 400); //~[realloc] leak
  p[0] = 1;
}

int main(void) {
  LOSE;
  (void)(overwritten), (void)returned, (void)list, (void)ring, (void)inner;
  (void)dropped, (void)null_join, (void)grown;
  return 0;
}
