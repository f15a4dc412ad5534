//@ verdict: unsafe(assertion)
//@ revisions: loop assumption order
//@[assumption] cflags: -DASSUMPTION
//@[order] cflags: -DORDER
//@[order] args: --layouts 4
//@ cutoffs: needed
// A turn that leads back compares addresses: a new block may have that of one that was freed, and which of two variables
// comes first is a matter of the layout.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
extern void __VERIFIER_assume(int);
#ifdef ORDER
static int x, y;
static _Atomic uintptr_t there;

static void *waits(void *arg) {
  uintptr_t seen = there;
  __VERIFIER_assume(seen == 0 || seen < (uintptr_t)&x);
  assert(seen == 0); //~[order] assertion
  return 0;
}

int main(void) {
  pthread_t thread;
  there = (uintptr_t)&y;
  pthread_create(&thread, 0, waits, 0);
  pthread_join(thread, 0);
  return 0;
}
#else
struct node {
  int value;
};
static struct node *head, none;

static void *waits(void *arg) {
  struct node *mine = arg;
#ifdef ASSUMPTION
  __VERIFIER_assume(__sync_bool_compare_and_swap(&head, mine, &none));
#else
  while (!__sync_bool_compare_and_swap(&head, mine, &none))
    ;
#endif
  assert(0); //~[loop assumption] assertion
  return 0;
}

int main(void) {
  pthread_t thread;
  struct node *node = malloc(sizeof *node);
  pthread_create(&thread, 0, waits, node);
  free(node);
  struct node *other = malloc(sizeof *other);
  __sync_lock_test_and_set(&head, other);
  return 0;
}
#endif
