// Abseil's Mutex (mutex.cc): a thread adds one below the lock, main waits for the condition that it has done so.
#include <absl/synchronization/mutex.h>
#include <cassert>
#include <thread>

int main() {
  absl::Mutex mutex;
  int count = 0;
  std::thread other([&] {
    absl::MutexLock lock(&mutex);
    count++;
  });
  mutex.LockWhen(absl::Condition(+[](int *seen) { return *seen == 1; }, &count));
  assert(count == 1);
  mutex.Unlock();
  other.join();
}
