struct inner {
  short s;
  char c[5];
};
struct node {
  int value;
  struct inner in;
  struct node *next;
  unsigned flag : 3;
};
int table[8];
int field(struct node *n) {
  return n->next->in.c[2] + n->value;
}
void put(struct node *n, int i, char x) {
  n[i].in.c[i] = x;
  n->flag = 5;
}
int matrix(int m[3][4], int i, unsigned j) {
  return m[i][j] + table[i + 1];
}
int local(int i) {
  int a[4] = {1, 2, 3, 4};
  char text[] = "abc";
  return a[i] + text[2];
}
long difference(int *a, int *b) {
  return a - b;
}
int main(void) {
  return 0;
}
