//@ revisions: some all
//@[some] verdict: unsafe(uninitialised)
//@[some] cflags: -DWRITTEN=2
//@[all] verdict: safe
//@[all] cflags: -DWRITTEN=3

static int sum(const int *a) {
  int s = 0;
  for (int i = 0; i < 3; i++)
    s += a[i];
  return s;
}

int main(void) {
  int a[3];
  for (int i = 0; i < WRITTEN; i++)
    a[i] = i;
  if (sum(a) > 100) //~[some] uninitialised
    return 1;
  return 0;
}
