//@ verdict: unknown(`fork` is not modelled: there is one process)
#include <unistd.h>

int main(void) { return fork() == 42; }
