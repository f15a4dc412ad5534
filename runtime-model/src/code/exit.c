// What runs at the end of the process. Threads may register functions at the same time; each registration is an action,
// so that every order is explored.
#include "library.h"

static _Atomic int registered;
void __verify_at_exit(void (*)(void *), void *);

// In C++, destructors are such functions.
int __cxa_atexit(void (*function)(void *), void *argument, void *module) {
  (void)module;
  if (__c11_atomic_exchange(&registered, 1, __ATOMIC_SEQ_CST) > 1)
    return -1;
  __verify_at_exit(function, argument);
  return 0;
}

int atexit(void (*function)(void)) {
  return __cxa_atexit((void (*)(void *))function, 0, 0);
}
