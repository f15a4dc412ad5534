# 1 "inline_elsewhere.c"
extern void abort(void);
void reach_error(void) {}
inline int half(int n) { return n / 2; }
extern inline int twice(int n) { return 2 * n; }
extern int half(int n);
int main(void) {
  if (twice(half(5)) == 4) {
    reach_error();
    abort();
  }
  return 0;
}
