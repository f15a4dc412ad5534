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
int load(int *p, int **q) {
  int x, y;
  __asm__ volatile("movl %1, %0" : "=r"(x) : "m"(*p) : "memory");
  __asm__ volatile("movl 4(%1), %0" : "=r"(y) : "r"(*q));
  return x + y;
}
void store(long *p, long x) {
  __asm__ volatile("movq %1, %0" : "=m"(*p) : "r"(x) : "memory");
  __asm__ volatile("addq $3, %0" : "+m"(*p) : : "cc");
}
int set_bit(long *p) {
  unsigned char was;
  __asm__ volatile("lock; btsq %2, %0; setc %1" : "+m"(*p), "=q"(was) : "Ir"(5L) : "memory", "cc");
  return was;
}
int flag_output(int *p) {
  int zero;
  __asm__ volatile("lock; subl $1, %0" : "+m"(*p), "=@ccz"(zero) : : "memory");
  return zero;
}
int wide(__int128 *p, long a, long b) {
  unsigned char done;
  long low = 0, high = 0;
  __asm__ volatile("lock; cmpxchg16b %1; sete %0"
                   : "=q"(done), "+m"(*p), "+a"(low), "+d"(high)
                   : "b"(a), "c"(b)
                   : "memory", "cc");
  return done;
}
unsigned features(void) {
  unsigned a = 1, b, c = 0, d;
  __asm__("cpuid" : "+a"(a), "=b"(b), "+c"(c), "=d"(d));
  return a | b | c | d;
}
unsigned long cycles(void) {
  unsigned low, high;
  __asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
  return (unsigned long)high << 32 | low;
}
void *thread(void) {
  void *own;
  __asm__("movq %%fs:0, %0" : "=r"(own));
  return own;
}
int main(void) {
  return 0;
}
