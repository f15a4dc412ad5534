//@ revisions: malloc calloc written
//@[malloc] verdict: unsafe(uninitialised)
//@[malloc] cflags: -DGET=malloc(sizeof(int))
//@[calloc] verdict: safe
//@[calloc] cflags: -DGET=calloc(1,sizeof(int))
//@[written] verdict: safe
//@[written] cflags: -DGET=malloc(sizeof(int)) -DWRITTEN
#include <stdlib.h>

int main(void) {
  int *p = GET;
#ifdef WRITTEN
  *p = 0;
#endif
  int sum = 1;
  if (*p) //~[malloc] uninitialised
    sum = 2;
  free(p);
  return sum == 1 ? 0 : 1;
}
