// What runs at a quick exit. Registering is atomic with respect to other threads.
#include "library.h"

typedef struct Handler {
  void (*function)(void);
  struct Handler *next;
} Handler;
static _Atomic(Handler *) handlers;
_Noreturn void _Exit(int);

int at_quick_exit(void (*function)(void)) {
  Handler *handler = __verify_keep(sizeof *handler);
  if (!handler)
    return -1;
  handler->function = function;
  handler->next = handlers;
  while (!__c11_atomic_compare_exchange_strong(&handlers, &handler->next, handler, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
    ;
  return 0;
}

_Noreturn void quick_exit(int status) {
  Handler *handler;
  while ((handler = handlers)) {
    handlers = handler->next;
    handler->function();
  }
  _Exit(status);
}
