// Threads in a vector, a lock, a count, a string, and memory that is shared and owned.
//@ verdict: safe
//@ native: run
//@ executions: 6
//@ source: three critical sections of two threads and main, in 3! orders; the counts are added to without being read
#include <cassert>
#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

static std::mutex lock;
static int sum;

int main() {
  auto shared = std::make_shared<int>(3);
  std::vector<std::thread> threads;
  for (int i = 1; i <= 2; i++)
    threads.emplace_back([i] {
      std::lock_guard<std::mutex> guard(lock);
      sum += i;
    });
  {
    std::unique_lock<std::mutex> guard(lock);
    sum += *shared;
  }
  for (auto &thread : threads)
    thread.join();
  std::unique_ptr<std::string> text(new std::string("a text that is too long for "));
  *text += "the inside of a string";
  assert(sum == 6 && text->size() == 50 && shared.use_count() == 1);
}
