#include <immintrin.h>
int fetch_add(int *p, int v) {
  __asm__ volatile("lock; xaddl %0, %1" : "+r"(v), "+m"(*p) : : "memory", "cc");
  return v;
}
int exchange(int *p, int v) {
  __asm__ volatile("xchgl %0, %1" : "+r"(v), "+m"(*p) : : "memory");
  return v;
}
int compare(int *p, int old, int new) {
  unsigned char done;
  __asm__ volatile("lock\n\tcmpxchgl %3, %0\n\tsete %1" : "+m"(*p), "=q"(done), "+a"(old) : "r"(new) : "memory");
  return done ? old : -1;
}
int last(int *p) {
  unsigned char zero;
  __asm__ volatile("lock; decl %0; sete %1" : "+m"(*p), "=qm"(zero) : : "memory");
  return zero;
}
void counts(int *p, long *q) {
  __asm__ volatile("lock; incl %0" : "+m"(*p));
  __asm__ volatile("lock; orq %1, %0" : "+m"(*q) : "er"(64L));
  __asm__ volatile("lock addl %1, (%0)" : : "r"(p), "r"(3) : "memory");
}
void barriers(void) {
  __asm__ volatile("" ::: "memory");
  __asm__ volatile("mfence" ::: "memory");
  __asm__ volatile("lock; addl $0, 0(%%rsp)" ::: "memory", "cc");
  __asm__ volatile("pause");
  __asm__ volatile("rep; nop");
  _mm_pause();
  _mm_mfence();
}
int hidden(int x) {
  __asm__("" : "+r"(x));
  return x;
}
int unknown(int x) {
  __asm__("bsfl %1, %0" : "=r"(x) : "r"(x));
  return x;
}
int main(void) {
  return 0;
}
