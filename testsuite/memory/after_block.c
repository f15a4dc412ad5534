//@ revisions: block loop left_by_goto left_by_break in_switch again outside local local_outside
//@[block] verdict: unsafe(memory)
//@[block] cflags: -DBLOCK
//@[loop] verdict: unsafe(memory)
//@[loop] cflags: -DLOOP
//@[left_by_goto] verdict: unsafe(memory)
//@[left_by_goto] cflags: -DGOTO
//@[left_by_break] verdict: unsafe(memory)
//@[left_by_break] cflags: -DBREAK
//@[in_switch] verdict: unsafe(memory)
//@[in_switch] cflags: -DSWITCH
//@[again] verdict: unsafe(uninitialised)
//@[again] cflags: -DAGAIN
//@[outside local_outside] verdict: safe
//@[outside local_outside] native: run
//@[local] verdict: unsafe(memory)
//@[local] cflags: -DLOCAL
//@[local_outside] cflags: -DLOCAL_OUTSIDE
// A pointer to a variable is used after the variable's block: however that was left. `again`: each time its content is
// new. `local`: the pointer is a local variable, whose own address is not taken.
static int *kept;

int main(int argc, char **argv) {
  int outside = 3;
#if defined LOCAL || defined LOCAL_OUTSIDE
  int *pointer;
  {
    int n = 3;
    pointer = &n;
#ifdef LOCAL_OUTSIDE
    outside = *pointer;
    pointer = &outside;
#endif
  }
  return *pointer == 3 ? 0 : 1; //~[local] memory
#elif defined BLOCK
  {
    int n = 3;
    kept = &n;
  }
#elif defined LOOP
  for (int i = 2; i < 4; i++) {
    int n = i;
    kept = &n;
  }
#elif defined GOTO
  {
    int n = 3;
    kept = &n;
    goto out;
  }
out:
#elif defined BREAK
  while (1) {
    int n = 3;
    kept = &n;
    if (argc == 1)
      break;
  }
#elif defined SWITCH
  switch (argc) {
  case 1: {
    int n = 3;
    kept = &n;
  }
  }
#elif defined AGAIN
  for (int i = 0; i < 2; i++) {
    int n;
    kept = &n;
    if (i == 0)
      n = 3;
    else if (*kept == 3) //~[again] uninitialised
      return 1;
  }
  kept = &outside;
#else
  {
    int n = 3;
    kept = &n;
    outside = *kept;
  }
  kept = &outside;
#endif
  return *kept == 3 ? 0 : 1; //~[block loop left_by_goto left_by_break in_switch] memory
}
