// A static variable of a function is initialised once, by whoever comes first; the others wait and see it.
//@ verdict: safe
//@ native: run
#include <cassert>
#include <thread>

static int begun, ended;

struct Thing {
  int value;
  Thing() : value(7) { begun++; }
  ~Thing() { ended++; }
};

static Thing &thing() {
  static Thing one;
  return one;
}

struct Last {
  ~Last() { assert(ended == begun); }
} last;

int main() {
  std::thread other([] { assert(thing().value == 7); });
  assert(thing().value == 7);
  other.join();
  assert(begun == 1);
}
