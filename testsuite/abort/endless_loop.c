//@ revisions: forever ends
//@[forever] verdict: unsafe(endless-loop)
//@[forever] cflags: -DSTEP=0
//@[ends] verdict: safe
//@[ends] cflags: -DSTEP=1

int main(void) {
  int i = 0;
  while (i < 10) i += STEP; //~[forever] endless-loop
  return 0;
}
