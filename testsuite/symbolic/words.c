//@ revisions: safe broken
//@[safe] verdict: safe
//@[safe] executions: 18
//@[safe] source: derived, see below
//@[broken] verdict: unsafe(memory)
//@[broken] cflags: -DBROKEN
// Lengths 0 and 1: nothing is compared. 2: "if" differs at 0, at 1, or is the same. 3: "for", 4 in the same way. 4: "case" and "goto", 5 for
// words that do not begin with 'c', 1 each for those that differ from "case" at 1, 2, 3, nowhere. 1 + 1 + 3 + 4 + 9 = 18.
//
// A tokenizer for words of up to four characters. BROKEN: the table of costs ends before its last keyword, which is noticed for one of
// 2^32 texts.
#include <string.h>
extern unsigned char __VERIFIER_nondet_uchar(void);

static const char *const keywords[] = {"if", "for", "case", "goto"};
#ifdef BROKEN
static const int cost[] = {1, 2, 3};
#else
static const int cost[] = {1, 2, 3, 4};
#endif

int main(void) {
  char text[5];
  for (int i = 0; i < 4; i++)
    text[i] = (char)__VERIFIER_nondet_uchar();
  text[4] = 0;
  size_t len = strcspn(text, " ;");
  int total = 0;
  for (int k = 0; k < 4; k++)
    if (strlen(keywords[k]) == len && strncmp(text, keywords[k], len) == 0)
      total += cost[k]; //~[broken] memory
  return total;
}
