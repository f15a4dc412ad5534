//@ verdict: unsafe(uninitialised)
//@ revisions: loop two_loops assumption
//@[two_loops] cflags: -DTWO_LOOPS
//@[assumption] cflags: -DASSUMPTION
//@ cutoffs: needed
// A thread waits for a member that is given its first value after the block was handed to it.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
extern void __VERIFIER_assume(int);
struct node {
  atomic_int key, value;
};
static struct node *_Atomic head;

static void *waits(void *arg) {
#ifdef ASSUMPTION
  struct node *node = head;
  if (node) {
    int value = node->value;
    __VERIFIER_assume(value); //~[assumption] uninitialised
  }
#elif defined(TWO_LOOPS)
  struct node *node;
  while (!(node = head))
    ;
  while (!node->value) //~[two_loops] uninitialised
    ;
#else
  while (!(head && head->value)) //~[loop] uninitialised
    ;
#endif
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, waits, 0);
  struct node *node = malloc(sizeof *node);
  node->key = 1;
  head = node;
  node->value = 1;
  pthread_join(thread, 0);
  free(node);
  return 0;
}
