//@ verdict: unsafe(data-race)
#include <thread>

struct Counter {
  int value = 0;
  void increment() { value++; } //~ data-race
};

int main() {
  Counter counter;
  std::thread thread([&] { counter.increment(); });
  counter.increment();
  thread.join();
}
