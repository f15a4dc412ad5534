//@ verdict: safe
//@ revisions: waits misses
//@[waits] native: run
//@[misses] cflags: -DMISSES
//@[misses] verdict: unsafe(deadlock)
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>

static std::mutex lock;
static std::condition_variable ready;
static bool flag;
static int value;

static void produce() {
  std::lock_guard<std::mutex> guard(lock);
  value = 42;
  flag = true;
  ready.notify_one();
}

int main() {
  std::thread producer(produce);
  std::unique_lock<std::mutex> guard(lock);
#ifdef MISSES
  ready.wait(guard); //~[misses] deadlock
#else
  ready.wait(guard, [] { return flag; });
#endif
  assert(value == 42);
  guard.unlock();
  producer.join();
}
