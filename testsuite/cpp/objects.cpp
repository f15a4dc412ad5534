// Virtual functions, destructors in order, containers, new and delete.
//@ verdict: safe
//@ native: run
#include <algorithm>
#include <cstdint>
#include <cassert>
#include <functional>
#include <list>
#include <memory>
#include <new>
#include <vector>

static int order;

struct Base {
  virtual ~Base() { order = 10 * order + 1; }
  virtual int value() const = 0;
};
struct Derived : Base {
  int number;
  explicit Derived(int n) : number(n) {}
  ~Derived() override { order = 10 * order + 2; }
  int value() const override { return number; }
};

int main() {
  {
    std::unique_ptr<Base> object = std::make_unique<Derived>(5);
    assert(object->value() == 5);
  }
  assert(order == 21);
  std::vector<int> numbers{3, 1, 2};
  std::sort(numbers.begin(), numbers.end());
  assert(numbers[0] == 1 && numbers.back() == 3);
  std::list<int> list;
  list.push_back(1);
  list.push_front(0);
  list.pop_back();
  assert(list.size() == 1 && list.front() == 0);
  std::function<int(int)> twice = [](int x) { return 2 * x; };
  assert(twice(4) == 8);
  int *array = new (std::nothrow) int[4]();
  assert(array[3] == 0);
  delete[] array;
  struct alignas(64) Line {
    char bytes[64];
  };
  Line *line = new Line;
  assert(reinterpret_cast<std::uintptr_t>(line) % 64 == 0);
  delete line;
}
