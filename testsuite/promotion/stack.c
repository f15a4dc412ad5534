//@ revisions: leaves stays
//@ verdict: safe
//@ args: --check memory,assertion
//@[leaves] verdict: unsafe(memory)
//@[leaves] cflags: -DLEAVES
//@[leaves] executions: 3
//@[stays] executions: 2
//@ promoted: 1
//@ source: the write comes before or after the read; if the owner does not wait, also after its return
// So does a variable's end, by the return of its function or by that of its thread.
#include <assert.h>
#include <pthread.h>

static void *writer(void *variable) {
  *(int *)variable = 3; //~[leaves] memory
  return 0;
}

static pthread_t owner(void) {
  pthread_t t;
  int variable = 1;
  pthread_create(&t, 0, writer, &variable);
  int seen = variable;
  assert(seen == 1 || seen == 3);
#ifndef LEAVES
  pthread_join(t, 0);
#endif
  return t;
}

int main(void) {
  pthread_t t = owner();
#ifdef LEAVES
  pthread_join(t, 0);
#endif
  return t == 0;
}
