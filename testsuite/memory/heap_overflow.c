//@ revisions: read write before repaired
//@[read write before] verdict: unsafe(memory)
//@[read] cflags: -DREAD
//@[write] cflags: -DWRITE
//@[before] cflags: -DBEFORE
//@[repaired] verdict: safe
#include <stdlib.h>

int main(void) {
  char *p = calloc(3, 1);
  int sum = 0;
#ifdef READ
  sum += p[3]; //~[read] memory
#endif
#ifdef WRITE
  p[3] = 1; //~[write] memory
#endif
#ifdef BEFORE
  p[-1] = 1; //~[before] memory
#endif
  sum += p[2];
  free(p);
  return sum;
}
