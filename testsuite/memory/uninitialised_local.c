//@ revisions: some all pointed_to pointed_to32 pointed_to_written
//@[some pointed_to pointed_to32] verdict: unsafe(uninitialised)
//@[some] cflags: -DWRITTEN=2
//@[all] verdict: safe
//@[all] cflags: -DWRITTEN=3
//@[pointed_to] cflags: -DWRITTEN=3 -DPOINTED_TO=1
//@[pointed_to32] cflags: -DWRITTEN=3 -DPOINTED_TO=1 -m32
//@[pointed_to_written] verdict: safe
//@[pointed_to_written] cflags: -DWRITTEN=3 -DPOINTED_TO=0
// An array of which a part was not written; and a variable that was written on one of two ways, and is read through a
// pointer (that could all happen in registers, and then there would be one way only).

static int sum(const int *a) {
  int s = 0;
  for (int i = 0; i < 3; i++)
    s += a[i];
  return s;
}

int main(int argc, char **argv) {
  int a[3];
  for (int i = 0; i < WRITTEN; i++)
    a[i] = i;
  if (sum(a) > 100) //~[some] uninitialised
    return 1;
#ifdef POINTED_TO
  int x, *p = &x;
  if (argc > POINTED_TO)
    x = 1;
  if (*p) //~[pointed_to pointed_to32] uninitialised
    return 0;
#endif
  return 0;
}
