//@ revisions: fetch fetch32 new new32 back field field32 within within32 number
//@[fetch fetch32 new new32 back field field32] verdict: unsafe(memory)
//@[within within32 number] verdict: safe
//@[fetch] cflags: -DMOVE=atomic_fetch_add(&place,FAR)
//@[fetch32] cflags: -m32 -DMOVE=atomic_fetch_add(&place,FAR)
//@[new] cflags: -DMOVE=local=__atomic_add_fetch(&plain,FAR*sizeof*a,__ATOMIC_SEQ_CST)
//@[new32] cflags: -m32 -DMOVE=local=__atomic_add_fetch(&plain,FAR*sizeof*a,__ATOMIC_SEQ_CST)
//@[back] cflags: -DMOVE=(place=b,atomic_fetch_sub(&place,FAR-7))
//@[field] cflags: -DMOVE=local=(atomic_fetch_add(part,FAR),*part)
//@[field32] cflags: -m32 -DMOVE=local=(atomic_fetch_add(part,FAR),*part)
//@[within] cflags: -DMOVE=(atomic_fetch_add(&place,FAR),atomic_fetch_sub(&place,FAR-24))
//@[within32] cflags: -m32 -DMOVE=(atomic_fetch_add(&place,FAR),atomic_fetch_sub(&place,FAR-24))
//@[number] cflags: -DNUMBER -DMOVE=atomic_fetch_add(&number,FAR*sizeof*a)
// A pointer that is moved by one atomic operation belongs to its array, as one does that is computed. Here it is moved to
// where `b` lies. (A number that is moved belongs to nothing: it reaches `b`.)
#include <stdatomic.h>
#include <stdint.h>
static int a[25], b[1 << 20];
static struct { int other; _Atomic(int *) place; } pair = {0, a};
static _Atomic(int *) place = a;
static int *plain = a;
static _Atomic uintptr_t number;
static _Atomic(int *) *part = &pair.place;
#define FAR (((intptr_t)&b[7] - (intptr_t)a) / 4)

int main(void) {
  int *local = 0;
  number = (uintptr_t)a;
  (void)(MOVE);
  if (!local)
    local = place;
#ifdef NUMBER
  local = (int *)number;
#endif
  *local = 1; //~[fetch fetch32 new new32 back field field32] memory
  return a[24] + b[7] - 1;
}
