//@ verdict: X
#include <sstream>

int main() {
  std::ostringstream stream;
  stream << 1;
}
