// std::call_once calls once, and a shared lock is one of many readers.
//@ verdict: safe
//@ native: run
#include <cassert>
#include <mutex>
#include <shared_mutex>
#include <thread>

static std::once_flag flag;
static std::shared_mutex lock;
static int calls, value;

static void begin() {
  std::call_once(flag, [] { calls++; });
  std::shared_lock<std::shared_mutex> reader(lock);
  assert(value == 0 || value == 1);
}

int main() {
  std::thread other(begin);
  begin();
  {
    std::unique_lock<std::shared_mutex> writer(lock);
    value = 1;
  }
  other.join();
  assert(calls == 1);
}
