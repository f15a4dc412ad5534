//@ revisions: operation bits number
//@[operation] verdict: unknown(operation 5 of futex is not modelled at)
//@[operation] cflags: -DCALL=SYS_futex,&word,FUTEX_WAKE_OP,1,1,&word,0
//@[bits] verdict: unknown(futex with the bits 0x2, which are not all, is not modelled at)
//@[bits] cflags: -DCALL=SYS_futex,&word,FUTEX_WAKE_BITSET,1,0,0,2
//@[number] verdict: unknown(system call 57 is not modelled: use the library's function for it at)
//@[number] cflags: -DCALL=57
#include "futex.h"
static atomic_uint word;

int main(void) { return syscall(CALL) + (int)word; }
