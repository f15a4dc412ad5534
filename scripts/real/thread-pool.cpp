// A thread pool in C++ (thread_pool.hpp) with a queue for each of its two threads, which steal tasks from each other:
// a task, whose result arrives in a future.
#include <cassert>
#include <thread_pool/thread_pool.hpp>

int main() {
  thread_pool::ThreadPool pool(2);
  auto first = pool.Submit([](int x) { return x + 1; }, 1);
  assert(first.get() == 2);
}
