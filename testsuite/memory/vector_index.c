//@ revisions: outside inside
//@ verdict: unsafe(memory)
//@[outside] cflags: -DINDEX=4
//@[inside] cflags: -DINDEX=3
//@[inside] verdict: safe
// A vector is written outside of its elements, even if nobody looks at it afterwards.
typedef int quad __attribute__((vector_size(16)));

static void set(int index) {
  quad all = {0};
  all[index] = 1; //~[outside] memory
}

int main(void) { set(INDEX); }
