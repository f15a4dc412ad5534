//@ revisions: long int
//@ verdict: safe
//@[int] cflags: -m32
//@ native: run
// What leaves its object and comes back, and round trips through integers, reach the object that they name.
#include <assert.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

struct node {
  long before[30];
  struct node *link;
};

struct pair {
  struct pair *both; // the neighbours' addresses, combined by exclusive or
  int value;
};

static int table[1000];
static char big[3 << 20];

int main(int argc, char **argv) {
  // Counted from one, and from a million.
  int *from_one = table - 1;
  from_one[1] = 7;
  int *from_a_million = table - 1000000 * argc;
  from_a_million[1000000] += 1;
  assert(table[0] == 8 && from_one < table && from_a_million < table);
  // One past the end, and back; all of a large one.
  for (char *p = big + sizeof big; p > big; p -= 1 << 16)
    p[-1] = 1;
  char *after = big + sizeof big + (5 << 20);
  assert(after > big + sizeof big && after - (8 << 20) == big);
  // container_of, also of what is no part of such a structure.
  struct node node = {.link = 0};
  struct node **link = &node.link;
  assert((struct node *)((char *)link - offsetof(struct node, link)) == &node);
  struct node *head = &node;
  struct node *around = (struct node *)((char *)&head - offsetof(struct node, link));
  assert(around->link == &node);
  // Numbers.
  uintptr_t number = (uintptr_t)&table[3];
  *(int *)(number | 1 & ~(uintptr_t)1) = 5;
  *(int *)((number ^ (uintptr_t)big) ^ (uintptr_t)big) += 1;
  assert(table[3] == 6);
  struct pair *one = malloc(sizeof *one), *two = malloc(sizeof *two), *three = malloc(sizeof *three);
  two->both = (struct pair *)((uintptr_t)one ^ (uintptr_t)three);
  three->value = 3;
  struct pair *next = (struct pair *)((uintptr_t)two->both ^ (uintptr_t)one);
  assert(next->value == 3);
  // Relative to something else, as a number.
  intptr_t distance = (intptr_t)three - (intptr_t)one;
  assert(((struct pair *)((intptr_t)one + distance))->value == 3);
  free(one), free(two), free(three);
}
