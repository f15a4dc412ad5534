//@ verdict: safe
//@ executions: 1
//@ source: nothing that is asked for belongs to two threads
//@ assumes: fixed-clock fixed-environment
// The processor has no features, its clock is the thread's own, a thread has an address, and Valgrind is not there.
#include "../threads.h"
#include <assert.h>
#include <stddef.h>
#include <stdint.h>

static void *own(void) {
  void *own;
  __asm__ volatile("movq %%fs:0, %0" : "=r"(own));
  return own;
}

static void *own_by_operand(size_t distance) {
  void *own;
  __asm__ volatile("movq %%fs:%1, %0" : "=r"(own) : "m"(*(void **)distance));
  return own;
}

static unsigned valgrind(unsigned usual) {
  volatile uint64_t request[6] = {0x1001, 0, 0, 0, 0, 0};
  volatile uint64_t result;
  __asm__ volatile("rolq $3,  %%rdi ; rolq $13, %%rdi\n\trolq $61, %%rdi ; rolq $51, %%rdi\n\txchgq %%rbx,%%rbx"
                   : "=d"(result)
                   : "a"(&request[0]), "0"((uint64_t)usual)
                   : "cc", "memory");
  return (unsigned)result;
}

static void *asks(void *arg) {
  assert(own() == (void *)pthread_self() && own() == __builtin_thread_pointer());
  return arg;
}

int main(void) {
  unsigned a = 0, b, c = 0, d, low, high;
  __asm__ volatile("movl %%ebx, %%esi; cpuid; xchgl %%ebx, %%esi" : "+a"(a), "=S"(b), "+c"(c), "=d"(d));
  assert((a | b | c | d) == 0);
  __asm__ volatile("rdtscp" : "=a"(low), "=d"(high) : : "ecx");
  uint64_t before = (uint64_t)high << 32 | low;
  assert(__builtin_ia32_rdtsc() > before);
  assert(valgrind(7) == 7);
  assert(own_by_operand(0) == own());
  run_copies(2, asks);
  assert(own() == (void *)pthread_self());
}
