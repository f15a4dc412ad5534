//@ revisions: branch switch_ call address length argument condition
//@ revisions: branch32 switch32 call32 address32 length32 argument32 kept kept32 divisor divisor32
//@ verdict: unsafe(uninitialised)
//@[branch branch32] cflags: -DBRANCH
//@[switch_ switch32] cflags: -DSWITCH
//@[call call32] cflags: -DCALL
//@[address address32] cflags: -DADDRESS
//@[length length32] cflags: -DLENGTH
//@[argument argument32] cflags: -DARGUMENT
//@[condition] cflags: -DCONDITION
//@[divisor divisor32] cflags: -DDIVISOR
//@[branch32 switch32 call32 address32 length32 argument32 divisor32 kept32] args: -m32
//@[kept kept32] cflags: -DWRITTEN -DBRANCH -DSWITCH -DCALL -DADDRESS -DLENGTH -DARGUMENT -DCONDITION -DDIVISOR
//@[kept kept32] verdict: safe
//@[kept] native: run
// Where a value that was never written decides.
#include <stdlib.h>
#include <string.h>

struct all {
  int number;
  int (*function)(int);
  int *pointer;
  unsigned long length;
};

static int same(int x) { return x; }

int main(void) {
  struct all all;
  int place = 1, result = 0;
  char text[8] = "abcdefg", copy[8] = "";
#ifdef WRITTEN
  all.number = 1, all.function = same, all.pointer = &place, all.length = 3;
#endif
  // Without branches one of the two is chosen.
  int chosen = all.number ? 1 : 2;
#ifdef BRANCH
  if (all.number == 1) //~[branch branch32] uninitialised
    result++;
#endif
#ifdef SWITCH
  switch (all.number) { //~[switch_ switch32] uninitialised
  case 1:
    result++;
  }
#endif
#ifdef CALL
  result += all.function(1); //~[call call32] uninitialised
#endif
#ifdef ADDRESS
  result += *all.pointer; //~[address address32] uninitialised
#endif
#ifdef LENGTH
  memcpy(copy, text, all.length); //~[length length32] uninitialised
#endif
#ifdef ARGUMENT
  free(malloc(all.length)); //~[argument argument32] uninitialised
#endif
#ifdef CONDITION
  if (chosen == 3) //~[condition] uninitialised
    result++;
#endif
#ifdef DIVISOR
  result += 3 / all.number / 3; //~[divisor divisor32] uninitialised
#endif
  return result == 5 && copy[2] == 'c' ? 0 : 1;
}
