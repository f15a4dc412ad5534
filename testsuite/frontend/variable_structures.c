// Structures among a variable number of arguments, with alignments of 16 and more: before and behind the end of the
// registers. A digit each in the sums: small 3, two 3, big 4, huge 5, real 6, mixed 7, three 8, extended 9. In the
// other revision one is not what is said.
//@ revisions: m64 m32 o1 wrong
//@[m32] args: -m32
//@[o1] cflags: -O1
//@[wrong] cflags: -DWRONG
//@[m64] verdict: safe
//@[m32] verdict: safe
//@[o1] verdict: safe
//@[wrong] verdict: unsafe(assertion)
//@[m64] native: run
//@[m32] native: run
#include <assert.h>
#include <stdarg.h>

#ifdef WRONG
#define LAST 3
#else
#define LAST 2
#endif

struct small { int x; } __attribute__((aligned(16)));
struct two { long a, b; } __attribute__((aligned(16)));
struct big { int x; char text[20]; } __attribute__((aligned(32)));
struct huge { int x; } __attribute__((aligned(64)));
struct real { double a, b; };
struct mixed { long a; double b; };
struct three { long a[3]; };
struct extended { long double a; };

static long long sum(const char *kinds, ...) {
  long long result = 0, place = 1;
  va_list list;
  va_start(list, kinds);
  for (; *kinds; kinds++) {
    long long value = 0;
    switch (*kinds) {
    case 'i':
      value = va_arg(list, int);
      break;
    case 'd':
      value = (long)va_arg(list, double);
      break;
    case 's':
      value = va_arg(list, struct small).x;
      break;
    case 't': {
      struct two t = va_arg(list, struct two);
      value = 2 * t.a - t.b;
      break;
    }
    case 'b': {
      struct big b = va_arg(list, struct big);
      value = b.x + b.text[19];
      break;
    }
    case 'h':
      value = va_arg(list, struct huge).x;
      break;
    case 'r': {
      struct real r = va_arg(list, struct real);
      value = (long)(2 * r.a - r.b);
      break;
    }
    case 'm': {
      struct mixed m = va_arg(list, struct mixed);
      value = 2 * m.a - (long)m.b;
      break;
    }
    case 'e':
      value = (long)va_arg(list, struct extended).a;
      break;
    case '3': {
      struct three t = va_arg(list, struct three);
      value = t.a[0] + t.a[1] + t.a[2];
      break;
    }
    }
    result += value * place;
    place *= 10;
  }
  va_end(list);
  return result;
}

int main(void) {
  struct small s = {3};
  struct two t = {4, 5};
  struct big b = {3, {0}};
  b.text[19] = 1;
  struct huge h = {5};
  struct real r = {4, 2};
  struct mixed m = {4, 1};
  struct three e = {{1, 2, 5}};
  struct extended x = {9};
  assert(sum("isi", 1, s, 2) == 231);
  assert(sum("iiiiisi", 1, 1, 1, 1, 1, s, LAST) == 2311111); //~[wrong] assertion
  assert(sum("iiiisi", 1, 1, 1, 1, s, 2) == 231111);
  assert(sum("iiiiti", 1, 1, 1, 1, t, 2) == 231111);
  assert(sum("iti", 1, t, 2) == 231);
  assert(sum("iiiiiibi", 1, 1, 1, 1, 1, 1, b, 2) == 24111111);
  assert(sum("ibi", 1, b, 2) == 241);
  assert(sum("ihihi", 1, h, 2, h, 3) == 35251);
  assert(sum("iiiiiihihi", 1, 1, 1, 1, 1, 1, h, 2, h, 3) == 3525111111);
  assert(sum("rirrrri", r, 1, r, r, r, r, 2) == 2666616);
  assert(sum("iiiimimi", 1, 1, 1, 1, m, 2, m, 3) == 37271111);
  assert(sum("dddddddrdd", 1., 1., 1., 1., 1., 1., 1., r, 2., 3.) == 3261111111);
  assert(sum("dddddddmimd", 1., 1., 1., 1., 1., 1., 1., m, 2, m, 3.) == 37271111111);
  assert(sum("iiiiii3ibi", 1, 1, 1, 1, 1, 1, e, 2, b, 3) == 3428111111);
  assert(sum("iesidi", 1, x, s, 2, 3., 4) == 432391);
  return 0;
}
