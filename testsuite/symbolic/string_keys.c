//@ revisions: safe broken
//@[safe] verdict: safe
//@[broken] verdict: unsafe(assertion)
//@[broken] cflags: -DBROKEN
// A hash table with strings as keys, of which two characters are inputs. BROKEN: only the first characters are compared, so one of two
// keys with the same hash takes the other's place.
#include <assert.h>
#include <stdlib.h>
#include <string.h>
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void __VERIFIER_assume(int);
#define SIZE 2u

static struct entry {
  char *name;
  int value;
} table[SIZE];

static unsigned hash(const char *name) {
  unsigned h = 5;
  for (; *name; name++)
    h = h * 33 ^ (unsigned char)*name;
  return h % SIZE;
}

static struct entry *find(const char *name) {
  unsigned slot = hash(name);
#ifdef BROKEN
  while (table[slot].name && strncmp(table[slot].name, name, 1) != 0)
#else
  while (table[slot].name && strcmp(table[slot].name, name) != 0)
#endif
    slot = (slot + 1) % SIZE;
  return &table[slot];
}

static void put(const char *name, int value) {
  struct entry *entry = find(name);
  if (!entry->name)
    entry->name = strdup(name);
  entry->value = value;
}

int main(void) {
  char a[] = "k?", b[] = "k?";
  a[1] = (char)__VERIFIER_nondet_uchar();
  b[1] = (char)__VERIFIER_nondet_uchar();
  __VERIFIER_assume(strcmp(a, b) != 0);
  put(a, 1);
  put(b, 2);
  assert(find(a)->value == 1); //~[broken] assertion
  for (unsigned i = 0; i < SIZE; i++)
    free(table[i].name);
  return 0;
}
