// What is not modelled of printf is unknown, with the reason.
//@ revisions: wide zero mixed gap types
//@[wide] verdict: unknown(printing the wide character 233)
//@[wide] cflags: -DARGUMENTS="%ls",L"a\u00e9"
//@[zero] verdict: unknown(printing the wide character 0)
//@[zero] cflags: -DARGUMENTS="%lc",0
//@[mixed] verdict: unknown(with and without positions)
//@[mixed] cflags: -DARGUMENTS="%1$d%d",1,2
//@[gap] verdict: unknown(leaves out positions)
//@[gap] cflags: -DARGUMENTS="%2$d",1,2
//@[types] verdict: unknown(value 1 has two types)
//@[types] cflags: -DARGUMENTS="%1$d%1$s",1
#include <stdio.h>

int main(void) { printf(ARGUMENTS); }
