//@ verdict: unknown(basic_ostringstream)
#include <sstream>

int main() {
  std::ostringstream stream;
  stream << 1;
}
