//@ verdict: unsafe(deadlock)
#include <mutex>
#include <thread>

static std::mutex a, b;

static void both(std::mutex &first, std::mutex &second) {
  std::lock_guard<std::mutex> outer(first);
  std::lock_guard<std::mutex> inner(second); //~ deadlock
}

int main() {
  std::thread thread(both, std::ref(a), std::ref(b));
  both(b, a);
  thread.join();
}
