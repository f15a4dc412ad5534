//@ revisions: number number32 union copy many
//@ verdict: safe
//@[number number32 union copy] assumes: one-layout
//@[many] assumes: few-layouts
//@[number many] cflags: -DNUMBER=(uintptr_t)key
//@[number32] cflags: -DNUMBER=(uintptr_t)key
//@[union] cflags: -DNUMBER=by_union(key)
//@[copy] cflags: -DNUMBER=by_copy(key)
//@[number32] args: -m32
//@[many] args: --layouts 3
// Where a key goes in a table depends on the number of its address, which is got in one of three ways.
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static void *table[4];

static uintptr_t by_union(void *key) {
  union { void *pointer; uintptr_t number; } both = {key};
  return both.number;
}

static uintptr_t by_copy(void *key) {
  uintptr_t number;
  memcpy(&number, &key, sizeof number);
  return number;
}

static unsigned place(void *key) {
  unsigned place = NUMBER * 2654435761u >> 7 & 3;
  while (table[place] && table[place] != key) place = (place + 1) & 3;
  return place;
}

int main(void) {
  void *keys[3];
  for (int i = 0; i < 3; i++) keys[i] = malloc(1), table[place(keys[i])] = keys[i];
  for (int i = 0; i < 3; i++) assert(table[place(keys[i])] == keys[i]);
  for (int i = 0; i < 3; i++) free(keys[i]);
}
