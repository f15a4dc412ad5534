//@ verdict: safe
//@ executions: 1
//@ source: one thread; the checksum is that of clang's own code for the same program
//@ revisions: plain o1 o2 v3
//@ cflags: -fwrapv -Wno-everything
//@[plain] cflags: -DEXPECTED=1847074455u
//@[o1] cflags: -O1 -DEXPECTED=1847074455u
//@[o2] cflags: -O2 -DEXPECTED=1847074455u
//@[v3] cflags: -O3 -march=x86-64-v3 -DEXPECTED=1847074455u
// C11 atomics, the builtins, and inline assembly with locked instructions.
#include "checksum.h"
#include <stdatomic.h>
static atomic_int ai;
static _Atomic long al;
static _Atomic unsigned char ac;
static _Atomic short as;
static atomic_flag fl = ATOMIC_FLAG_INIT;
static _Atomic double ad;
static _Atomic float af;
static int *_Atomic ap;
static int arr[4];
static _Atomic(struct p2 { int a, b; }) st;
static int plain;
static _Bool _Atomic ab;
static int xadd(int *p, int v) {
  __asm__ volatile("lock; xaddl %0, %1" : "+r"(v), "+m"(*p) : : "memory", "cc");
  return v;
}
static int xchg(int *p, int v) {
  __asm__ volatile("xchgl %0, %1" : "+r"(v), "+m"(*p) : : "memory");
  return v;
}
static int xchg2(int *p, int v) {
  int r;
  __asm__ volatile("lock xchg %0,%1" : "=r"(r), "=m"(*p) : "0"(v), "m"(*p) : "memory");
  return r;
}
static int cas(int *p, int o, int n) {
  int r;
  __asm__ volatile("lock; cmpxchgl %2, %1" : "=a"(r), "+m"(*p) : "r"(n), "0"(o) : "memory", "cc");
  return r;
}
static int cas2(int *p, int o, int n) {
  unsigned char ok;
  __asm__ volatile("lock\n\tcmpxchgl %3,%0\n\tsete %1"
                   : "+m"(*p), "=q"(ok), "+a"(o)
                   : "r"(n)
                   : "memory", "cc");
  return ok * 1000 + o;
}
static int cas3(int *p, int o, int n) {
  int ok;
  __asm__ volatile("lock cmpxchg %[n], %[p]" : [p] "+m"(*p), "=@ccz"(ok), "+a"(o) : [n] "r"(n) : "memory");
  return ok * 1000 + o;
}
static void inc(int *p) { __asm__ volatile("lock; incl %0" : "+m"(*p) : : "cc"); }
static void add(int *p, int i) { __asm__ volatile("lock; addl %1,%0" : "+m"(*p) : "ir"(i)); }
static int dectest(int *p) {
  unsigned char c;
  __asm__ volatile("lock; decl %0; sete %1" : "+m"(*p), "=qm"(c) : : "memory");
  return c;
}
static void orl(long *p, long v) { __asm__ volatile("lock; orq %1, %0" : "+m"(*p) : "er"(v) : "memory"); }
static void ptr(int *p, int v) { __asm__ volatile("lock addl %1, (%0)" : : "r"(p), "r"(v) : "memory"); }
static void bar(void) {
  __asm__ volatile("" ::: "memory");
  __asm__ volatile("mfence" ::: "memory");
  __asm__ volatile("lock; addl $0,0(%%rsp)" ::: "memory", "cc");
  __asm__ volatile("pause");
  __asm__ volatile("rep; nop" ::: "memory");
  __asm__ volatile("lfence\n\tsfence" ::: "memory");
}
static int keep(int x) {
  __asm__ volatile("" : "+r"(x));
  return x;
}
static void test(int s) {
  mix(atomic_fetch_add(&ai, s + 3));
  mix(atomic_fetch_sub_explicit(&ai, 1, memory_order_release));
  mix(ai++);
  mix(++ai);
  mix(atomic_fetch_or(&al, 1L << (s + 30)));
  mix(atomic_fetch_and(&al, ~3L));
  mix(atomic_fetch_xor(&al, 77));
  mix(ac += 200);
  mix(as -= 7 * s);
  mix(al);
  mix(atomic_flag_test_and_set(&fl));
  if (s & 1)
    atomic_flag_clear(&fl);
  ad += 1.5;
  mix_double(ad);
  af = af * 2 + 1;
  mix_float(af);
  ap = &arr[s % 4];
  {
    int *lp = ap;
    mix(lp - arr);
  }
  *ap = s;
  mix(arr[s % 4]);
  int e = 5;
  mix(atomic_compare_exchange_strong(&ai, &e, 9));
  mix(e);
  e = ai;
  mix(atomic_compare_exchange_weak(&ai, &e, 1000 + s));
  mix(e);
  mix(ai);
  st = (struct p2){s, s * 2};
  struct p2 q = st;
  mix(q.a + q.b * 7);
  struct p2 r = atomic_exchange(&st, ((struct p2){1, 2}));
  mix(r.a);
  ab = s & 1;
  ab ^= 1;
  mix(ab);
  mix(atomic_exchange(&al, s));
  mix(__atomic_nand_fetch(&plain, 3, __ATOMIC_SEQ_CST));
  mix(__atomic_fetch_min(&plain, -20 + s, __ATOMIC_RELAXED));
  mix(__sync_fetch_and_add(&plain, 2));
  mix(__sync_val_compare_and_swap(&plain, plain, 40));
  mix(__sync_lock_test_and_set(&plain, 41));
  atomic_thread_fence(memory_order_seq_cst);
  atomic_signal_fence(memory_order_acquire);
  int v = 10 + s;
  mix(xadd(&v, 5));
  mix(v);
  mix(xchg(&v, 99));
  mix(v);
  mix(xchg2(&v, 98));
  mix(v);
  mix(cas(&v, 98, 3));
  mix(v);
  mix(cas(&v, 98, 4));
  mix(v);
  mix(cas2(&v, 3, 6));
  mix(cas2(&v, 3, 7));
  mix(v);
  mix(cas3(&v, 6, 1));
  mix(cas3(&v, 9, 5));
  mix(v);
  inc(&v);
  add(&v, 7);
  add(&v, s);
  mix(v);
  v = 2;
  mix(dectest(&v));
  mix(dectest(&v));
  mix(v);
  long l = 4;
  orl(&l, 1L << 33);
  mix(l);
  ptr(&v, 12);
  mix(v);
  bar();
  mix(keep(s));
}
