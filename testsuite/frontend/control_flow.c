//@ verdict: safe
//@ revisions: o0 o2
//@[o2] cflags: -O2
//@ native: run
#include <assert.h>

static int computed(int n) {
  static void *const target[] = {&&zero, &&one, &&many};
  goto *target[n > 2 ? 2 : n];
zero:
  return 10;
one:
  return 11;
many:
  return 12;
}

static const char *named(int n) {
  switch (n) {
  case -3: return "minus three";
  case 1 ... 5: return "few";
  case 1000000: return "million";
  default: return "else";
  }
}

static int duff(int count) {
  int done = 0, rounds = (count + 3) / 4;
  switch (count % 4) {
  case 0: do { done++;
  case 3: done++;
  case 2: done++;
  case 1: done++;
          } while (--rounds > 0);
  }
  return done;
}

int main(void) {
  volatile int n = 7;
  assert(computed(0) == 10 && computed(1) == 11 && computed(n) == 12);
  assert(named(-3)[6] == 't' && named(4)[0] == 'f' && named(1000000)[0] == 'm' && named(n)[0] == 'e');
  assert(duff(n) == 7 && duff(8) == 8);
  int x = n > 3 && n < 10 ? n-- ?: 1 : 0;
  assert(x == 7 && n == 6);
  return 0;
}
