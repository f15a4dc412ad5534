// libstdc++ checks what it is asked for.
//@ verdict: unsafe(assertion)
#include <vector>

int main() {
  std::vector<int> numbers(3);
  return numbers[3]; //~ assertion
}
