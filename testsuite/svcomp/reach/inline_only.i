# 1 "inline_only.c"
extern void abort(void);
void reach_error(void) {}
extern int __VERIFIER_nondet_int(void);
inline int half(int n) { return n / 2; }
__inline int twice(int n) { return 2 * n; }
static inline int same(int n) { return n; }
int main(void) {
  if (same(twice(half(5))) == 5) {
    reach_error();
    abort();
  }
  return 0;
}
