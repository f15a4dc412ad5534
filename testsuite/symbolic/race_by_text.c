//@ revisions: safe broken
//@[safe] verdict: safe
//@[broken] verdict: unsafe(data-race)
//@[broken] cflags: -DBROKEN
// How far a text is read depends on its characters: strcmp goes on as long as they are the same. Another thread writes the third
// character. So they race if the first two are "ok" (BROKEN), and not if the first is another letter.
#include <pthread.h>
#include <string.h>
extern char __VERIFIER_nondet_char(void);
extern void __VERIFIER_assume(int);

static char text[4] = "??!";
static int same;

static void *worker(void *unused) {
  text[2] = '?';
  return unused;
}

int main(void) {
  pthread_t t;
  text[0] = __VERIFIER_nondet_char();
  text[1] = __VERIFIER_nondet_char();
#ifndef BROKEN
  __VERIFIER_assume(text[0] != 'o' || text[1] != 'k');
#endif
  pthread_create(&t, 0, worker, 0);
  same = strcmp(text, "ok?") == 0; //~[broken] data-race
  pthread_join(t, 0);
  return same;
}
