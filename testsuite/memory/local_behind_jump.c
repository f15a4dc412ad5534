// A jump ends the variables of the functions that it leaves.
//@ verdict: unsafe(memory)
#include <setjmp.h>

static jmp_buf buffer;
static int *leaked;

static void leave(void) {
  int local = 1;
  leaked = &local;
  longjmp(buffer, 1);
}

int main(void) {
  if (!setjmp(buffer))
    leave();
  return *leaked; //~ memory
}
