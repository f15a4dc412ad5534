//@ verdict: unsafe(assertion)
//@ output: text 1 2.5 abc 0 18446744073709551615
#include <cassert>
#include <iostream>
#include <string>

int main(int argc, char **) {
  std::string string = "abc";
  std::cout << "text " << 1 << ' ' << 2.5 << ' ' << string << ' ' << false << ' ' << ~0ul << std::endl;
  std::cerr << std::flush;
  assert(argc == 2); //~ assertion
}
