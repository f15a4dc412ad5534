//@ verdict: safe
//@ native: run
// std::map and std::set: what libstdc++ keeps compiled of them is red-black trees.
#include <cassert>
#include <map>
#include <set>
#include <thread>

int main() {
  std::map<int, int> squares;
  for (int i = 0; i < 24; i++)
    squares[i * 7 % 24] = i;
  int next = 0;
  for (auto &pair : squares)
    assert(pair.first == next++ && pair.second * 7 % 24 == pair.first);
  for (int i = 0; i < 24; i += 2)
    assert(squares.erase(i * 5 % 24) == 1);
  assert(squares.size() == 12 && squares.lower_bound(4)->first == 5 && (--squares.end())->first == 23);
  std::set<int> own;
  std::thread other([&own] {
    for (int i = 9; i >= 0; i--)
      own.insert(i);
  });
  other.join();
  assert(own.size() == 10 && *own.begin() == 0 && *own.rbegin() == 9);
  return 0;
}
