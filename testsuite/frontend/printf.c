//@ revisions: plain shown
//@[plain] verdict: safe
//@[plain] native: run
//@[shown] verdict: unsafe(assertion)
//@[shown] cflags: -DFAIL
//@[shown] output: 42 -7 ff|  x|hello %|3.50|18446744073709551615
// What was printed on the way to a violation is shown with it.
#include <assert.h>
#include <stdio.h>

int main(void) {
  char text[10];
  printf("%d %i %x|%3c|%s %%|%.2f|%lu\n", 42, -7, 255, 'x', "hello", 3.5, ~0ul);
  int length = snprintf(text, sizeof text, "%05d-%s", 42, "truncated");
  assert(length == 15 && text[0] == '0' && text[8] == 'u' && text[9] == 0);
#ifdef FAIL
  assert(0); //~[shown] assertion
#endif
  return 0;
}
