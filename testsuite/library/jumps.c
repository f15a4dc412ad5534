//@ verdict: safe
//@ native: run
//@ revisions: m64 m32 fortified
//@[m32] cflags: -m32
//@[fortified] cflags: -O1 -D_FORTIFY_SOURCE=2
#include <assert.h>
#include <setjmp.h>
#include <stdlib.h>

static jmp_buf buffer, outer;
static sigjmp_buf with_mask;

static void deep(int n) {
  volatile char room[16];
  room[n] = 1;
  if (n == 0)
    longjmp(buffer, 7);
  deep(n - 1);
}

static void values(void) {
  volatile int kept = 1;
  switch (setjmp(buffer)) {
  case 0:
    kept = 2;
    deep(5);
    assert(0);
    return;
  case 7:
    assert(kept == 2);
  }
}

static void loop(void) {
  volatile int turns = 0;
  int result = setjmp(buffer);
  assert(result == (turns ? turns : 0));
  if (++turns <= 3)
    longjmp(buffer, turns);
}

static void zero(void) {
  int result = sigsetjmp(with_mask, 1);
  if (!result)
    siglongjmp(with_mask, 0);
  assert(result == 1);
}

static void inner(void) {
  if (_setjmp(buffer) == 0)
    longjmp(buffer, 1);
  longjmp(outer, 1);
}

int main(void) {
  values();
  loop();
  zero();
  if (!setjmp(outer))
    inner();
  int *volatile block = malloc(4);
  if (!setjmp(buffer)) {
    *block = 5;
    longjmp(buffer, 1);
  }
  assert(*block == 5);
  free(block);
  return 0;
}
