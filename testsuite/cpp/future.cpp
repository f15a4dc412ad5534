//@ revisions: good late
//@[good] verdict: safe
//@[good] native: run
//@[late] verdict: unsafe(assertion)
//@[late] cflags: -DLATE
//@ slow: naive
// std::promise, std::future and std::packaged_task: whoever asks for the result waits for it.
#include <cassert>
#include <future>
#include <thread>

static int written;

int main() {
  std::promise<int> promise;
  auto promised = promise.get_future();
  std::packaged_task<int(int)> task([](int x) { return x + 1; });
  auto computed = task.get_future();
  std::thread other([&] {
#ifdef LATE
    promise.set_value(6);
    written = 1;
#else
    written = 1;
    promise.set_value(6);
#endif
    task(4);
  });
  assert(promised.get() == 6);
#ifdef LATE
  computed.wait_for(std::chrono::seconds(1));
  assert(computed.wait_for(std::chrono::seconds(0)) == std::future_status::ready); //~[late] assertion
#else
  assert(written == 1);
  assert(computed.get() == 5);
#endif
  other.join();
  return 0;
}
