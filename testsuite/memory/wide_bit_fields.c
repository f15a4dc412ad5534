// Bit-fields of a packed structure share an integer of 112 bits. Each is written and read by itself; the bits around it need
// no value. In the other revision the one that is read was never written. C17 6.3.2.1p2 (an object without a value).
//@ revisions: written unwritten
//@[unwritten] cflags: -DUNWRITTEN
//@[written] verdict: safe
//@[unwritten] verdict: unsafe(uninitialised)
struct __attribute__((packed)) fields {
  signed char first : 7;
  unsigned second : 32;
  unsigned long long third : 46;
  unsigned fourth : 22;
};

int main(void) {
  struct fields fields;
  fields.first = -3;
#ifndef UNWRITTEN
  fields.fourth = 6;
#endif
  fields.third = 1;
  if (fields.fourth % 3 == 0) //~[unwritten] uninitialised
    return 0;
  return 1;
}
