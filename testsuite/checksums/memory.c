//@ verdict: safe
//@ executions: 1
//@ source: one thread; the checksum is that of clang's own code for the same program
//@ revisions: plain o1 o2 v3 m32 m32o2
//@ cflags: -fwrapv -Wno-everything
//@[plain] cflags: -DEXPECTED=2637272409u
//@[o1] cflags: -O1 -DEXPECTED=2637272409u
//@[o2] cflags: -O2 -DEXPECTED=2637272409u
//@[v3] cflags: -O3 -march=x86-64-v3 -DEXPECTED=2637272409u
//@[m32] cflags: -m32 -DEXPECTED=1589323475u
//@[m32o2] cflags: -m32 -O2 -DEXPECTED=1589323475u
// Structs, arrays, pointers, unions, calls by value, variadic calls, computed gotos, thread-local variables, aliases.
#include "checksum.h"
#include <string.h>
struct in {
  short s;
  char c[5];
};
struct no {
  int v;
  struct in in;
  struct no *next;
  double d;
};
struct big {
  long a[6];
};
struct pr {
  long a, b;
};
struct sm {
  char a, b, c;
};
struct mixd_ {
  int i;
  float f;
  double d;
};
union un {
  int i;
  float f;
  char c[12];
  struct pr p;
};
static struct no n1 = {7, {-3, "abc"}, 0, 3.5};
struct no n0 = {1, {2, {1, 2, 3}}, &n1, 0.25};
static int tab[16] = {1, 2, 3, [9] = 9};
int *mid = &tab[9];
char *text[] = {"zero", "one", "two"};
static int m2[3][4][5];
char *end = (char *)(&tab[0]) + 7;
intptr_t asint = (intptr_t)&tab[2];
static int add(int a, int b) { return a + b; }
static int sub(int a, int b) { return a - b; }
static int (*ops[])(int, int) = {add, sub};
static struct big mkb(long a) {
  struct big b = {{a, 2, 3}};
  return b;
}
static long useb(struct big b, int i) {
  b.a[1] += i;
  return b.a[0] + b.a[1] + b.a[5];
}
static struct pr mkp(long a) {
  struct pr p = {a, a + 1};
  return p;
}
static struct sm mks(int a) {
  struct sm p = {a, a + 1, a + 2};
  return p;
}
static struct mixd_ mkm(int a) {
  struct mixd_ p = {a, a + 1, a + 2};
  return p;
}
static int sumv(int n, ...) {
  va_list ap;
  va_start(ap, n);
  int s = 0;
  while (n-- > 0) {
    s += va_arg(ap, int);
    struct pr p = va_arg(ap, struct pr);
    s += p.a * 3 + p.b;
    struct big b = va_arg(ap, struct big);
    s += b.a[0];
    s += (int)va_arg(ap, long long);
    struct sm q = va_arg(ap, struct sm);
    s += q.b;
    char *t = va_arg(ap, char *);
    s += t[0];
  }
  va_end(ap);
  return s;
}
static int fwd(int n, va_list ap) { return n + va_arg(ap, int); }
static int outer(int n, ...) {
  va_list ap;
  va_start(ap, n);
  int r = fwd(n, ap);
  r += va_arg(ap, int);
  va_end(ap);
  return r;
}
_Thread_local int tl = 5;
_Thread_local struct pr tp = {1, 2};
static int gotos(int i) {
  static void *t[] = {&&l0, &&l1, &&l2};
  static const int d[] = {&&l0 - &&l0, &&l1 - &&l0, &&l2 - &&l0};
  int n = 0;
  goto *t[i % 3];
l0:
  n += 1;
  if (n > 20)
    return n;
  goto *(&&l0 + d[(i + n) % 3]);
l1:
  n += 10;
  if (n > 40)
    return n;
  i++;
  goto *t[i % 3];
l2:
  n += 100;
  return n;
}
static int interp_(const char *p) {
  static void *t[] = {&&add_, &&dbl, &&neg, &&halt};
  int acc = 1, steps = 0;

#define NEXT goto *t[(int)*p++]
  NEXT;
add_:
  acc += 3;
  steps++;
  NEXT;
dbl:
  acc *= 2;
  steps += 2;
  NEXT;
neg:
  acc = -acc;
  NEXT;
halt:
  return acc * 100 + steps;
}
static int rec(int n) {
  int a[4];
  for (int i = 0; i < 4; i++)
    a[i] = n * i;
  return n <= 0 ? 1 : a[n & 3] + rec(n - 1);
}
static void swap(int *a, int *b) {
  int t = *a;
  *a = *b;
  *b = t;
}
const char *name(int i) {
  switch (i) {
  case 0:
    return "alpha";
  case 1:
    return "beta";
  case 2:
    return "gamma";
  case 3:
    return "delta";
  case 4:
    return "eps";
  case 5:
    return "zeta";
  default:
    return "?";
  }
}
extern int tab2 __attribute__((alias("real")));
int real = 77;
extern int other(int) __attribute__((alias("target_")));
int target_(int x) { return x * 9; }
static int cleanup_count;
static void cl(int *p) { cleanup_count += *p; }
static void test(int s) {
  mix(n0.v + n0.next->v + n0.in.c[1] + n0.next->in.c[2] + n1.in.s);
  mix_double(n0.next->d);
  mix(*mid + mid[-9] + end[1]);
  mix(*(int *)asint);
  mix(text[s % 3][0] + strlen(text[s % 3]));
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 4; j++)
      for (int k = 0; k < 5; k++)
        m2[i][j][k] += i * 100 + j * 10 + k + s;
  mix(m2[2][1][s]);
  mix(m2[s % 3][3][4]);
  mix(ops[s & 1](7, 3));
  mix(useb(mkb(s), 4));
  struct pr p = mkp(s);
  mix(p.a * p.b);
  struct sm q = mks(s);
  mix(q.a + q.b * q.c);
  struct mixd_ d = mkm(s);
  mix(d.i);
  mix_float(d.f);
  mix_double(d.d);
  mix(sumv(2, 1, p, mkb(5), 1LL << 33 | 7, q, "abc", 2, p, mkb(6), -9LL, q, "xyz"));
  mix(outer(1, 2, 3));
  tl += s;
  mix(tl);
  tp.b *= 3;
  mix(tp.b);
  mix(gotos(s));
  mix(gotos(s + 1));
  mix(interp_("\0\1\2\0\1\3"));
  mix(interp_("\1\1\0\0\2\3"));
  mix(rec(s + 3));
  int v[s + 2];
  for (int i = 0; i < s + 2; i++)
    v[i] = i * i;
  mix(v[s + 1]);
  mix(sizeof v);
  struct no z = n0, w = {0};
  z.v = 9;
  memcpy(&w, &z, sizeof z);
  w.in.c[4] = s;
  mix(w.v + w.in.c[4]);
  memmove(tab + 1, tab, 8 * sizeof(int));
  mix(tab[3] + tab[8]);
  memset(tab + 10, 3, 9);
  mix(tab[11]);
  mix(tab[12]);
  union un u = {.f = 1.5f};
  mix(u.i);
  u.p.a = -5;
  mix(u.c[0]);
  int e = 4, f = 9;
  swap(&e, &f);
  mix(e * 10 + f);
  mix(name(s)[1]);
  mix(name(s + 2)[0]);
  mix(tab2 + other(s));
  {
    __attribute__((cleanup(cl))) int x = s + 1;
    mix(x);
  }
  mix(cleanup_count);
  char buf[20] = "hello";
  for (char *c = buf; *c; c++)
    *c ^= 1;
  mix(buf[0] + buf[4] * 7);
  unsigned short us[4] = {1, 65535, 3};
  mix(us[1] + us[s & 3]);
  _Bool bo = s > 2;
  mix(bo);
  bo ^= 1;
  mix(bo);
  _Bool ba[3] = {1, 0, 1};
  mix(ba[s % 3]);
  int *pp = s & 1 ? &tab[1] : &real;
  *pp += 2;
  mix(*pp);
  long dist = &tab[7] - &tab[2];
  mix(dist);
  mix((char *)&n0.d - (char *)&n0);

  int (*fp)(int, int) = s > 1 ? add : sub;
  mix(fp(s, 2));
  do {
    s += 3;
    if (s % 4 == 0)
      continue;
    mix(s);
  } while (s < 12);
}
