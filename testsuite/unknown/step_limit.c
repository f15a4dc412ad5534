//@ revisions: short long
//@ verdict: unknown(step)
//@ args: --max-steps 20000
//@[short] verdict: safe
//@[short] cflags: -DTIMES=100
//@[long] cflags: -DTIMES=100000

int main(void) {
  unsigned sum = 0;
  for (unsigned i = 0; i < TIMES; i++)
    sum += i;
  return sum == 1;
}
