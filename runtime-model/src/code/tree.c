// Binary search trees. A node begins with the key, as programs expect; the tree is not balanced, which a program can
// only see by the order in which keys are compared.
#include "library.h"

typedef int Compare(const void *, const void *);
typedef struct Node {
  const void *key;
  struct Node *left, *right;
} Node;
typedef enum { PREORDER, POSTORDER, ENDORDER, LEAF } Visit;

// The place where the node with that key is, or would be.
static Node **find(const void *key, Node **place, Compare *compare) {
  while (*place) {
    int order = compare(key, (*place)->key);
    if (order == 0)
      break;
    place = order < 0 ? &(*place)->left : &(*place)->right;
  }
  return place;
}

void *tsearch(const void *key, void **root, Compare *compare) {
  if (!root)
    return NULL;
  Node **place = find(key, (Node **)root, compare);
  if (!*place) {
    Node *node = malloc(sizeof *node);
    if (!node)
      return NULL;
    *node = (Node){key, NULL, NULL};
    *place = node;
  }
  return *place;
}

void *tfind(const void *key, void *const *root, Compare *compare) {
  return root ? *find(key, (Node **)root, compare) : NULL;
}

void *tdelete(const void *key, void **root, Compare *compare) {
  if (!root || !*root)
    return NULL;
  Node **place = (Node **)root, *parent = *place;
  int order;
  while (*place && (order = compare(key, (*place)->key)) != 0) {
    parent = *place;
    place = order < 0 ? &(*place)->left : &(*place)->right;
  }
  Node *node = *place;
  if (!node)
    return NULL;
  if (node->left && node->right) {
    // The next one in order takes its place.
    Node **next = &node->right;
    while ((*next)->left)
      next = &(*next)->left;
    Node *heir = *next;
    *next = heir->right;
    heir->left = node->left;
    heir->right = node->right;
    *place = heir;
  } else {
    *place = node->left ? node->left : node->right;
  }
  // Of the root there is no parent; any pointer but null says that it was found.
  if (parent == node)
    parent = *place ? *place : (Node *)root;
  free(node);
  return parent;
}

static void walk(Node *node, void (*visit)(const void *, Visit, int), int depth) {
  if (!node->left && !node->right) {
    visit(node, LEAF, depth);
    return;
  }
  visit(node, PREORDER, depth);
  if (node->left)
    walk(node->left, visit, depth + 1);
  visit(node, POSTORDER, depth);
  if (node->right)
    walk(node->right, visit, depth + 1);
  visit(node, ENDORDER, depth);
}

void twalk(const void *root, void (*visit)(const void *, Visit, int)) {
  if (root && visit)
    walk((Node *)root, visit, 0);
}

void tdestroy(void *root, void (*release)(void *)) {
  Node *node = root;
  if (!node)
    return;
  tdestroy(node->left, release);
  tdestroy(node->right, release);
  release((void *)node->key);
  free(node);
}
