//@ verdict: unknown(neither defined nor modelled)
#include <iomanip>
#include <iostream>

int main() { std::cout << std::setw(5) << 1; }
