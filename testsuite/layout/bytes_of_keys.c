//@ revisions: hash hash32 sum16 order order32 many text equal equal32
//@ verdict: safe
//@[hash hash32 sum16 order order32] assumes: one-layout
//@[many] assumes: few-layouts
//@[text equal equal32] assumes-not: one-layout
//@[hash many] cflags: -DUSE=(hash(&key,sizeof(key))%8<8)
//@[hash32] cflags: -m32 -DUSE=(hash(&key,sizeof(key))%8<8)
//@[sum16] cflags: -DUSE=(parts(&key,sizeof(key))<9)
//@[order] cflags: -DUSE=(memcmp(&key,&other,sizeof(key))<0||memcmp(&key,&other,sizeof(key))>0)
//@[order32] cflags: -m32 -DUSE=(memcmp(&key,&other,sizeof(key))<0||memcmp(&key,&other,sizeof(key))>0)
//@[text] cflags: -DUSE=(hash(text,6)==hash("bucket",6)&&memcmp(text,"bucker",6)>0)
//@[equal] cflags: -DUSE=(memcmp(&key,&other,sizeof(key))!=0)
//@[equal32] cflags: -m32 -DUSE=(memcmp(&key,&other,sizeof(key))!=0)
//@[many] args: --layouts 3
// Hash functions take the bytes of a key, whatever it is. If that is a pointer, the result depends on where objects lie; and
// so does the order of two pointers as bytes, but not whether they are equal.
#include <assert.h>
#include <stdlib.h>
#include <string.h>

// Fowler, Noll and Vo
unsigned hash(const void *key, size_t size) {
  unsigned hash = 2166136261u;
  for (size_t i = 0; i < size; i++)
    hash = (hash ^ ((const unsigned char *)key)[i]) * 16777619u;
  return hash;
}

unsigned parts(const void *key, size_t size) {
  unsigned sum = 0;
  for (size_t i = 0; i < size / 2; i++)
    sum += ((const unsigned short *)key)[i];
  return sum % 9;
}

int main(void) {
  char *key = malloc(8), *other = malloc(8), text[] = "bucket";
  assert(USE);
  free(key);
  free(other);
}
