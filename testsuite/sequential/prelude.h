#define _GNU_SOURCE
#include <assert.h>
#include <complex.h>
#include <ctype.h>
#include <limits.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
// Conversions to integers, divisions and remainders that are defined for all operands.
#define CUT(T, low, high, x) ({ __typeof__(x) cut = (x); cut >= (low) && cut < (high) ? (T)cut : (T)7; })
#define DIV(T, a, b) ({ T left = (a), right = (b); right == 0 || right == (T)-1 ? left : (T)(left / right); })
#define REM(T, a, b) ({ T left = (a), right = (b); right == 0 || right == (T)-1 ? left : (T)(left % right); })
// The sign of a number that is none is nobody's promise.
static inline void out_f(long double x) { if (x != x) puts("nan"); else printf("%La\n", x); }
static inline void out_i(long long x) { printf("%lld\n", x); }
static inline void out_u(unsigned long long x) { printf("%llu\n", x); }
static inline void out_bytes(const void *p, unsigned long n) {
  for (unsigned long i = 0; i < n; i++) printf("%02x", ((const unsigned char *)p)[i]);
  puts("");
}
#ifdef __SIZEOF_INT128__
static inline void out_w(unsigned __int128 x) { printf("%llx:%llx\n", (unsigned long long)(x >> 64), (unsigned long long)x); }
#endif
// The library's results may have more bits than their type, with 32 bits.
static inline double root(double x) { volatile double result = sqrt(x); return result; }
static inline float rootf(float x) { volatile float result = sqrtf(x); return result; }
static inline int sign(int x) { return (x > 0) - (x < 0); }
// What no compiler knows.
static volatile int zero, one = 1;
#ifdef __SIZEOF_INT128__
#define OUT(x) _Generic((x), float: out_f, double: out_f, long double: out_f, __int128: out_w, unsigned __int128: out_w, \
  unsigned: out_u, unsigned long: out_u, unsigned long long: out_u, default: out_i)(x)
#else
#define OUT(x) _Generic((x), float: out_f, double: out_f, long double: out_f, unsigned: out_u, unsigned long: out_u, \
  unsigned long long: out_u, default: out_i)(x)
#endif
#define NUMBER(x) ({ __typeof__(x) number = (x); number == number ? number : 7; })
typedef unsigned v4u __attribute__((vector_size(16)));
typedef int v4i __attribute__((vector_size(16)));
typedef float v4f __attribute__((vector_size(16)));
typedef short v8h __attribute__((vector_size(16)));
typedef unsigned char v16b __attribute__((vector_size(16)));
typedef double v2d __attribute__((vector_size(16)));
typedef long long v2l __attribute__((vector_size(16)));
struct three { int a; char b; short c; };
struct pair { double d; long long l; };
struct large { int a[7]; long double d; };
struct floats { float x, y, z; };
struct bits { int a : 5; unsigned b : 11; signed c : 3; unsigned long long d : 37; };
union any { long long l; int i[2]; short s[4]; unsigned char b[8]; };
struct node { struct node *next; int value; };
struct flexible { int n; long a[]; };
static inline struct three turned(struct three s) { return (struct three){s.c, s.b, s.b}; }
static inline struct pair swapped(struct pair s, int n) { s.d = n; return (struct pair){.l = s.l ^ n, .d = s.d / 4}; }
static inline struct large grown(struct large s) { s.a[6] = s.a[0] ^ s.a[1]; s.d = s.d + 1; return s; }
static inline struct floats scaled(struct floats s, float by) { return (struct floats){s.x * by, s.z, s.y + by}; }
static inline struct bits packed_bits(struct bits b, int n) { b.a ^= n; b.c = b.a; b.d = ~0ull << (n & 31); return b; }
static inline union any as_any(long long l) { return (union any){l ^ 0x1234}; }
static inline _Complex double rotated(_Complex double c) { return c * 1.0i; }
static inline int added(int a, int b) { return a + b; }
static inline int subtracted(int a, int b) { return a - b; }
static inline int larger(int a, int b) { return a > b ? a : b; }
static inline int twice(int (*f)(int, int), int a, int b) { return f(f(a, b), b); }
static inline unsigned long long factorial(unsigned n) { return n ? n * factorial(n - 1) : 1; }
static inline unsigned ackermann(unsigned m, unsigned n) {
  return m == 0 ? n + 1 : ackermann(m - 1, n == 0 ? 1 : ackermann(m, n - 1));
}
static int odd(unsigned n);
static inline int even(unsigned n) { return n == 0 || odd(n - 1); }
static int odd(unsigned n) { return n != 0 && even(n - 1); }
static inline int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
static inline double fraction(int n) { return n ? 1 / (1 + fraction(n - 1)) : 1; }
static inline int sum_of_row(int n, int rows, int m[rows][n]) { return m[0][n - 1] * 100 + m[1][0] + (int)sizeof *m; }
static inline void deep(jmp_buf to, int n, int jump) { if (n) deep(to, n - 1, jump); else if (jump) longjmp(to, 1); }
static inline int by_int(const void *a, const void *b) { return (*(int *)a > *(int *)b) - (*(int *)a < *(int *)b); }
static inline int by_double(const void *a, const void *b) { return (*(double *)a > *(double *)b) - (*(double *)a < *(double *)b); }
static inline struct node *pushed(struct node *list, int value) {
  struct node *node = malloc(sizeof *node);
  *node = (struct node){list, value};
  return node;
}
static inline struct node *reversed(struct node *list) {
  struct node *turned = 0;
  while (list) { struct node *next = list->next; list->next = turned; turned = list; list = next; }
  return turned;
}
static inline int length(const struct node *list) { return list ? 1 + length(list->next) : 0; }
static inline int sum(int n, ...) {
  va_list list, again;
  int result = 0;
  va_start(list, n);
  va_copy(again, list);
  for (int i = 0; i < n; i++) result += va_arg(list, int) % 1000;
  for (int i = 0; i < n; i++) result ^= va_arg(again, int);
  va_end(list);
  va_end(again);
  return result;
}
static inline void mixed(const char *kinds, ...) {
  va_list list;
  va_start(list, kinds);
  for (; *kinds; kinds++)
    switch (*kinds) {
    case 'i': case 'c': case 's': out_i(va_arg(list, int)); break;
    case 'd': out_f(va_arg(list, double)); break;
    case 'D': out_f(va_arg(list, long double)); break;
    case 'l': out_i(va_arg(list, long long)); break;
    case 'p': puts(va_arg(list, char *)); break;
    case 'S': { struct three s = va_arg(list, struct three); out_i(s.a); out_i(s.b); out_i(s.c); break; }
    case 'T': { struct pair s = va_arg(list, struct pair); out_f(s.d); out_i(s.l); break; }
    case 'U': { struct large s = va_arg(list, struct large); out_f(s.d); out_i(s.a[0]); break; }
#ifdef __SIZEOF_INT128__
    case 'w': out_w(va_arg(list, unsigned __int128)); break;
#endif
    }
  va_end(list);
}
