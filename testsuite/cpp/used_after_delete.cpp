//@ verdict: unsafe(memory)
#include <memory>

int main() {
  int *raw;
  {
    auto owner = std::make_unique<int>(1);
    raw = owner.get();
  }
  return *raw; //~ memory
}
