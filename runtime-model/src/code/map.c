// The trees of std::map and std::set of libstdc++, which keeps these functions compiled: red-black trees. The header is
// the parent of the root; its own parent is the root, and left and right are the first and the last node. It is red,
// and the root is black.
#include "library.h"

enum Color { RED, BLACK };
typedef struct Node {
  enum Color color;
  struct Node *parent, *left, *right;
} Node;

static Node *first_below(Node *node) {
  while (node->left)
    node = node->left;
  return node;
}
static Node *last_below(Node *node) {
  while (node->right)
    node = node->right;
  return node;
}

static Node *next(Node *node) {
  if (node->right)
    return first_below(node->right);
  Node *above = node->parent;
  while (node == above->right) {
    node = above;
    above = above->parent;
  }
  // From the last node, which may be the root, the way has led round the header.
  return node->right == above ? node : above;
}
static Node *previous(Node *node) {
  if (node->color == RED && node->parent->parent == node)
    return node->right; // the header
  if (node->left)
    return last_below(node->left);
  Node *above = node->parent;
  while (node == above->left) {
    node = above;
    above = above->parent;
  }
  return above;
}
Node *_ZSt18_Rb_tree_incrementPSt18_Rb_tree_node_base(Node *node) { return next(node); }
Node *_ZSt18_Rb_tree_incrementPKSt18_Rb_tree_node_base(Node *node) { return next(node); }
Node *_ZSt18_Rb_tree_decrementPSt18_Rb_tree_node_base(Node *node) { return previous(node); }
Node *_ZSt18_Rb_tree_decrementPKSt18_Rb_tree_node_base(Node *node) { return previous(node); }

// What leads to a node from above leads to another one.
static void replace(Node *old, Node *new, Node *header) {
  if (header->parent == old)
    header->parent = new;
  else if (old->parent->left == old)
    old->parent->left = new;
  else
    old->parent->right = new;
}

// The child on one side takes the place of its parent.
static void rotate_left(Node *node, Node *header) {
  Node *child = node->right;
  node->right = child->left;
  if (child->left)
    child->left->parent = node;
  child->parent = node->parent;
  replace(node, child, header);
  child->left = node;
  node->parent = child;
}
static void rotate_right(Node *node, Node *header) {
  Node *child = node->left;
  node->left = child->right;
  if (child->right)
    child->right->parent = node;
  child->parent = node->parent;
  replace(node, child, header);
  child->right = node;
  node->parent = child;
}

void _ZSt29_Rb_tree_insert_and_rebalancebPSt18_Rb_tree_node_baseS0_RS_(_Bool left, Node *node, Node *parent, Node *header) {
  *node = (Node){RED, parent, NULL, NULL};
  if (parent == header)
    header->parent = header->left = header->right = node;
  else if (left) {
    parent->left = node;
    if (header->left == parent)
      header->left = node;
  } else {
    parent->right = node;
    if (header->right == parent)
      header->right = node;
  }
  // A red node has no red child: what breaks that goes up.
  while (node != header->parent && node->parent->color == RED) {
    Node *above = node->parent->parent;
    int on_left = node->parent == above->left;
    Node *uncle = on_left ? above->right : above->left;
    if (uncle && uncle->color == RED) {
      node->parent->color = uncle->color = BLACK;
      above->color = RED;
      node = above;
      continue;
    }
    if (on_left) {
      if (node == node->parent->right)
        rotate_left(node = node->parent, header);
      node->parent->color = BLACK;
      above->color = RED;
      rotate_right(above, header);
    } else {
      if (node == node->parent->left)
        rotate_right(node = node->parent, header);
      node->parent->color = BLACK;
      above->color = RED;
      rotate_left(above, header);
    }
  }
  header->parent->color = BLACK;
}

static int is_black(Node *node) { return !node || node->color == BLACK; }

// There is a black node less on the ways through this child, which may be none.
static void restore(Node *child, Node *parent, Node *header) {
  while (child != header->parent && is_black(child)) {
    int on_left = child == parent->left;
    Node *other = on_left ? parent->right : parent->left;
    if (other->color == RED) {
      other->color = BLACK;
      parent->color = RED;
      if (on_left)
        rotate_left(parent, header);
      else
        rotate_right(parent, header);
      other = on_left ? parent->right : parent->left;
    }
    Node *outer = on_left ? other->right : other->left, *inner = on_left ? other->left : other->right;
    if (is_black(outer) && is_black(inner)) {
      other->color = RED;
      child = parent;
      parent = parent->parent;
      continue;
    }
    if (is_black(outer)) {
      inner->color = BLACK;
      other->color = RED;
      if (on_left)
        rotate_right(other, header);
      else
        rotate_left(other, header);
      outer = other;
      other = inner;
    }
    other->color = parent->color;
    parent->color = outer->color = BLACK;
    if (on_left)
      rotate_left(parent, header);
    else
      rotate_right(parent, header);
    break;
  }
  if (child)
    child->color = BLACK;
}

Node *_ZSt28_Rb_tree_rebalance_for_erasePSt18_Rb_tree_node_baseRS_(Node *node, Node *header) {
  Node *child, *parent;
  enum Color removed;
  if (node->left && node->right) {
    // The next node, which has no left child, takes its place.
    Node *successor = first_below(node->right);
    child = successor->right;
    removed = successor->color;
    if (successor == node->right)
      parent = successor;
    else {
      parent = successor->parent;
      parent->left = child;
      if (child)
        child->parent = parent;
      successor->right = node->right;
      node->right->parent = successor;
    }
    successor->left = node->left;
    node->left->parent = successor;
    replace(node, successor, header);
    successor->parent = node->parent;
    successor->color = node->color;
  } else {
    child = node->left ? node->left : node->right;
    removed = node->color;
    parent = node->parent;
    if (child)
      child->parent = parent;
    replace(node, child, header);
    if (header->left == node)
      header->left = child ? first_below(child) : parent;
    if (header->right == node)
      header->right = child ? last_below(child) : parent;
  }
  if (removed == BLACK)
    restore(child, parent, header);
  return node;
}

unsigned _ZSt20_Rb_tree_black_countPKSt18_Rb_tree_node_baseS1_(const Node *node, const Node *root) {
  unsigned count = 0;
  for (; node; node = node == root ? NULL : node->parent)
    count += node->color == BLACK;
  return count;
}
