// Whether a library that is not modelled has a weak symbol of a reserved name is not known.
//@ verdict: unknown(weak and nowhere defined)
extern void __missing(void) __attribute__((weak));

int main(void) {
  if (__missing)
    return 1;
}
