//@ verdict: unsafe(memory)
//@ also: lives.ll
//@ revisions: begins_twice used_early
//@[begins_twice] cflags: -DWAITS=twice
//@[used_early] cflags: -DWAITS=early
//@ cutoffs: needed
//@ source: by hand: after the loop the variable is dead if there was a turn, and alive if there was none
// Code that no compiler makes: a turn begins and ends the life of a variable that is alive before it. A thread that only
// waited there would miss that the variable is dead after the loop.
int WAITS(void);

int main(void) {
  return WAITS(); //~ memory
}
