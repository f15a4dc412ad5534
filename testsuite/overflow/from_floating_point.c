//@ revisions: large negative nan unsigned_ fits
//@ verdict: unsafe(overflow)
//@[large] cflags: -DVALUE=3e9 -DTYPE=int
//@[negative] cflags: -DVALUE=-3e9 -DTYPE=int
//@[nan] cflags: -DVALUE=(zero/zero) -DTYPE=int
//@[unsigned_] cflags: -DVALUE=-1.0 -DTYPE=unsigned
//@[fits] verdict: safe
//@[fits] cflags: -DVALUE=-0.75 -DTYPE=unsigned
//@ source: C17 6.3.1.4: the fraction is discarded first; what cannot be represented then is undefined
int main(void) {
  volatile double zero = 0;
  volatile double value = VALUE;
  TYPE converted = (TYPE)value; //~[large negative nan unsigned_] overflow
  return (zero != 0) + (converted == 12345);
}
