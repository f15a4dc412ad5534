//@ verdict: unknown(exceptions; up to the first throw a program is explored)
#include <stdexcept>

int main(int argc, char **) {
  try {
    if (argc > 0)
      throw 5;
  } catch (int value) {
    return value - 5;
  }
}
