//@ verdict: safe
//@ native: run
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> flag{0};
static int data;

int main() {
  std::thread writer([] {
    data = 1;
    flag.store(1, std::memory_order_release);
  });
  if (flag.load(std::memory_order_acquire))
    assert(data == 1);
  writer.join();
  int expected = 1;
  assert(flag.compare_exchange_strong(expected, 5) && flag.fetch_add(2) == 5 && flag == 7);
}
