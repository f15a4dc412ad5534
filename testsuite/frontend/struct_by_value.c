//@ verdict: safe
//@ revisions: o0 o2 m32
//@[o2] cflags: -O2
//@[m32] args: -m32
//@ native: run
#include <assert.h>
struct small { short a, b; };
struct floats { float x, y; };
struct large { int v[20]; };
union either { int i; float f; struct small s; };

static struct small swap(struct small s) {
  return (struct small){s.b, s.a};
}

static struct floats scale(struct floats f, float by) {
  f.x *= by;
  f.y *= by;
  return f;
}

static struct large shifted(struct large l, int by) {
  for (int i = 0; i < 20; i++)
    l.v[i] += by;
  return l;
}

int main(void) {
  struct small s = swap((struct small){1, -2});
  struct floats f = scale((struct floats){1.5f, -2.0f}, 2);
  struct large l = {{0, 1, 2}}, k = shifted(l, 10);
  union either e = {.s = {1, 2}};
  assert(s.a == -2 && s.b == 1);
  assert(f.x == 3 && f.y == -4);
  assert(k.v[2] == 12 && k.v[19] == 10 && l.v[2] == 2);
  assert(e.i == 0x00020001);
  e.f = 1.0f;
  assert(e.i == 0x3f800000);
  return 0;
}
