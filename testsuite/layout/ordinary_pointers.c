//@ revisions: m64 m32
//@ verdict: safe
//@ assumes-not: one-layout
//@[m32] args: -m32
// Nothing here depends on where objects lie: loops and differences in one object, tags in free bits, numbers handed over as
// pointers, members and what contains them, comparisons for equality, an error code as a pointer.
#include <assert.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

struct range { int *begin, *end; };
struct node { int key; struct node *next; };

static int sum(const struct range *r) {
  int sum = 0;
  for (int *p = r->begin; p < r->end; p++) sum += *p;
  for (int *p = r->end; p != r->begin;) sum += *--p;
  return sum;
}

static int is_error(void *p) { return (uintptr_t)p >= (uintptr_t)-4095; }

static long twice(void *number) { return (long)(intptr_t)number * 2 % 100; }

int main(void) {
  int array[4] = {1, 2, 3, 4};
  struct range range = {array, array + 4};
  assert(sum(&range) == 20 && range.end - range.begin == 4);

  int *block = malloc(4 * sizeof *block);
  for (int *p = block, *end = block + 4; p < end; ++p) *p = 1;
  uintptr_t tagged = (uintptr_t)block | 1;
  assert((tagged & 1) && (int *)(tagged & ~(uintptr_t)1) == block && (int *)(tagged - 1) == block);

  struct node second = {2, 0}, first = {1, &second};
  struct node *owner = (struct node *)((uintptr_t)&first.next - offsetof(struct node, next));
  assert(owner == &first && owner->next != owner && block != array);
  assert(!is_error(block) && is_error((void *)-2) && twice((void *)(intptr_t)21) == 42);
  free(block);
}
