//@ revisions: m64 m32 hashed
//@ verdict: safe
//@[m64 m32] assumes-not: one-layout
//@[hashed] assumes: one-layout
//@[m32] args: -m32
//@[hashed] cflags: -DHASHED
// A list whose links are the "exclusive or" of both neighbours gives each back with the help of the other. The same of two
// addresses as a hash value gives none back.
#include <assert.h>
#include <stdint.h>

struct node { int value; uintptr_t link; };

int main(void) {
  struct node a, b, c, d, *nodes[4] = {&a, &b, &c, &d};
  for (int i = 0; i < 4; i++) {
    nodes[i]->value = i;
    nodes[i]->link = (uintptr_t)(i > 0 ? nodes[i - 1] : 0) ^ (uintptr_t)(i < 3 ? nodes[i + 1] : 0);
  }
  int seen = 0;
  for (struct node *before = 0, *at = &a; at;) {
    assert(at->value == seen++);
    struct node *next = (struct node *)(at->link ^ (uintptr_t)before);
    before = at;
    at = next;
  }
  assert(seen == 4);
#ifdef HASHED
  int other;
  assert(((uintptr_t)&seen ^ (uintptr_t)&other) % 7 < 7);
#endif
}
