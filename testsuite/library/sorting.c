//@ verdict: safe
//@ native: run
//@ revisions: m64 m32
//@[m32] cflags: -m32
#define _GNU_SOURCE
#include <assert.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

struct pair { int key; char name; };
static int by_key(const void *a, const void *b) {
  int x = ((const struct pair *)a)->key, y = ((const struct pair *)b)->key;
  return (x > y) - (x < y);
}
static int by_sign(const void *a, const void *b, void *sign) { return *(int *)sign * (*(int *)a - *(int *)b); }
static int by_int(const void *a, const void *b) { return *(int *)a - *(int *)b; }

static int visited[8], visits;
static void visit(const void *node, VISIT which, int depth) {
  if (which == postorder || which == leaf)
    visited[visits++] = **(int **)node;
  assert(depth < 3);
}
static void nothing(void *key) { assert(key); }

int main(void) {
  struct pair pairs[] = {{5, 'a'}, {1, 'b'}, {4, 'c'}, {1, 'd'}, {3, 'e'}, {9, 'f'}, {2, 'g'}};
  qsort(pairs, 7, sizeof *pairs, by_key);
  char names[8] = "";
  for (int i = 0; i < 7; i++)
    names[i] = pairs[i].name;
  assert(!strcmp(names, "bdgecaf") || !strcmp(names, "dbgecaf"));
  struct pair four = {4}, six = {6};
  assert(bsearch(&four, pairs, 7, sizeof *pairs, by_key) == &pairs[4]);
  assert(!bsearch(&six, pairs, 7, sizeof *pairs, by_key));

  int numbers[5] = {3, 1, 2, 5, 4}, down = -1;
  qsort_r(numbers, 5, sizeof *numbers, by_sign, &down);
  for (int i = 0; i < 5; i++)
    assert(numbers[i] == 5 - i);
  qsort(NULL, 0, 4, by_int);

  int list[4] = {7, 8}, nine = 9, eight = 8;
  size_t count = 2;
  assert(lfind(&eight, list, &count, sizeof *list, by_int) == &list[1]);
  assert(!lfind(&nine, list, &count, sizeof *list, by_int) && count == 2);
  assert(lsearch(&nine, list, &count, sizeof *list, by_int) == &list[2] && count == 3 && list[2] == 9);

  void *root = NULL;
  int keys[] = {2, 1, 3, 2};
  for (int i = 0; i < 3; i++)
    assert(**(int **)tsearch(&keys[i], &root, by_int) == keys[i]);
  assert(*(int **)tsearch(&keys[3], &root, by_int) == &keys[0]);
  assert(tfind(&keys[2], &root, by_int) && !tfind(&nine, &root, by_int));
  twalk(root, visit);
  assert(visits == 3 && visited[0] == 1 && visited[1] == 2 && visited[2] == 3);
  assert(tdelete(&keys[0], &root, by_int) && !tfind(&keys[0], &root, by_int) && tfind(&keys[1], &root, by_int));
  assert(!tdelete(&nine, &root, by_int));
  tdestroy(root, nothing);

  div_t d = div(-7, 2);
  ldiv_t l = ldiv(7, -2);
  lldiv_t ll = lldiv(9000000000, 7);
  assert(d.quot == -3 && d.rem == -1 && l.quot == -3 && l.rem == 1 && ll.quot == 1285714285 && ll.rem == 5);
  srand48(42);
  assert(lrand48() == 1598855263 && mrand48() == 1471891643);
  double u = drand48();
  assert(u > 0.1 && u < 0.2);
  unsigned short state[3] = {1, 2, 3};
  assert(nrand48(state) == 949179875);
  return 0;
}
