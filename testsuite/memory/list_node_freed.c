//@ revisions: late early
//@[late] verdict: unsafe(memory)
//@[early] verdict: safe
//@[early] cflags: -DEARLY
//@[early] native: run
#include <stdlib.h>
struct node { struct node *next; };

int main(void) {
  struct node *list = 0;
  for (int i = 0; i < 3; i++) {
    struct node *n = malloc(sizeof *n);
    n->next = list;
    list = n;
  }
#ifdef EARLY
  for (struct node *n = list, *next; n; n = next) {
    next = n->next;
    free(n);
  }
#else
  for (struct node *n = list; n; n = n->next) //~[late] memory
    free(n);
#endif
  return 0;
}
