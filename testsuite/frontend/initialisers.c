//@ verdict: safe
//@ revisions: o0 m32
//@[m32] args: -m32
//@ native: run
#include <assert.h>
struct tree { const char *name; struct tree *left, *right; int values[3]; };
static struct tree leaf = {"leaf", 0, 0, {[1] = 5}};
static struct tree root = {.name = "root", .left = &leaf, .values = {1, 2}};
static int *second = &leaf.values[1];
static const char *const words[] = {"one", "two", "three"};
static int matrix[2][3] = {{1, 2, 3}, {4, 5}};
static struct tree *const *const indirect = &root.left;

__attribute__((constructor)) static void first(void) {
  leaf.values[2] = 9;
}

int main(void) {
  assert(root.left->name[0] == 'l' && !root.right && root.values[1] == 2);
  assert(*second == 5 && leaf.values[2] == 9 && (*indirect)->values[1] == 5);
  assert(words[2][4] == 'e' && matrix[1][1] == 5 && matrix[1][2] == 0);
  int *end = &matrix[0][0] + 6;
  assert(end - matrix[1] == 3 && (char *)end - (char *)matrix == 24);
  return 0;
}
