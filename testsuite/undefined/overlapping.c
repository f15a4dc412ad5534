//@ revisions: apart same overlapping
//@[apart same] verdict: safe
//@[apart] cflags: -DAT=2
//@[same] cflags: -DAT=0
//@[overlapping] cflags: -DAT=1
//@[overlapping] verdict: unsafe(memory)
// An assignment of structures is llvm.memcpy: of ranges that are the same, or have nothing in common.
struct pair {
  long first[2];
};
static long all[6];

int main(void) {
  all[0] = 1, all[1] = 2;
  struct pair *from = (struct pair *)all, *to = (struct pair *)(all + AT);
  *to = *from; //~[overlapping] memory
  return all[AT] == 1 ? 0 : 1;
}
