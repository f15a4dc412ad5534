// Inputs as KLEE's interface has them: made of those that `__VERIFIER_nondet_…` gives.
extern unsigned __VERIFIER_nondet_uint(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

void klee_make_symbolic(void *address, __SIZE_TYPE__ size, const char *name) {
  (void)name;
  if (size % sizeof(unsigned) == 0 && (__UINTPTR_TYPE__)address % sizeof(unsigned) == 0) {
    for (__SIZE_TYPE__ i = 0; i < size / sizeof(unsigned); i++)
      ((unsigned *)address)[i] = __VERIFIER_nondet_uint();
    return;
  }
  for (__SIZE_TYPE__ i = 0; i < size; i++)
    ((unsigned char *)address)[i] = __VERIFIER_nondet_uchar();
}

int klee_range(int begin, int end, const char *name) {
  (void)name;
  int value = __VERIFIER_nondet_int();
  __VERIFIER_assume(begin <= value && value < end);
  return value;
}
