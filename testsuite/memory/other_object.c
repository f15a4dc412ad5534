//@ revisions: global global32 far far32 stack stack32 heap heap32 below loop loop32 constant constant32 repaired repaired32
//@[global far stack heap below loop constant] verdict: unsafe(memory)
//@[global32 far32 stack32 heap32 loop32 constant32] verdict: unsafe(memory)
//@[global] cflags: -DGLOBAL -DAT=(1<<18)
//@[global32] cflags: -DGLOBAL -DAT=128 -m32
//@[far] cflags: -DGLOBAL -DAT=(1<<30)
//@[far32] cflags: -DGLOBAL -DAT=(-(1<<20)) -m32
//@[stack] cflags: -DSTACK -DAT=(1<<18)
//@[stack32] cflags: -DSTACK -DAT=128 -m32
//@[heap] cflags: -DHEAP -DAT=(1<<18)
//@[heap32] cflags: -DHEAP -DAT=128 -m32
//@[below] cflags: -DBELOW -DAT=(1<<18)
//@[loop] cflags: -DLOOP -DAT=(1<<19)
//@[loop32] cflags: -DLOOP -DAT=400 -m32
//@[constant] cflags: -DCONSTANT -DAT=(1<<18)
//@[constant32] cflags: -DCONSTANT -DAT=128 -m32
//@[repaired repaired32] verdict: safe
//@[repaired] cflags: -DGLOBAL -DSTACK -DHEAP -DAT=24
//@[repaired32] cflags: -DGLOBAL -DSTACK -DHEAP -DAT=24 -m32
// An index that leads into another object that is alive. Objects lie far apart, but not so far.
#include <stdlib.h>

static int a[25], b[4000], c[1 << 20];
#ifdef CONSTANT
static int *astray = &a[AT];
#endif

int main(int argc, char **argv) {
  int x[25], y[4000];
  int *p = malloc(25 * sizeof *p), *q = malloc(sizeof c);
  x[0] = y[0] = p[0] = q[0] = b[0] = c[0] = 0;
#ifdef GLOBAL
  a[AT] = 1; //~[global global32 far far32] memory
#endif
#ifdef STACK
  x[AT * argc] = 1; //~[stack stack32] memory
#endif
#ifdef HEAP
  int *r = p + AT * argc;
  *r = 1; //~[heap heap32] memory
#endif
#ifdef BELOW
  *(q - AT) = 1; //~[below] memory
#endif
#ifdef LOOP
  for (int i = 0; i < AT; i += AT / 4)
    a[i] = 1; //~[loop loop32] memory
#endif
#ifdef CONSTANT
  *astray = 1; //~[constant constant32] memory
#endif
  free(p);
  free(q);
}
