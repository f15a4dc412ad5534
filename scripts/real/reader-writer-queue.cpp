// The queue for one reader and one writer (readerwriterqueue.h), in blocks of two: three numbers arrive in order. With
// BLOCKING the reader waits, on a semaphore of the library's; without, it takes what is there.
#include <cassert>
#include <readerwriterqueue.h>
#include <thread>

int main() {
#ifdef BLOCKING
  moodycamel::BlockingReaderWriterQueue<int, 2> queue(1);
#else
  moodycamel::ReaderWriterQueue<int, 2> queue(1);
#endif
  std::thread writer([&] {
    for (int i = 1; i <= 3; i++)
      queue.enqueue(i);
  });
  int last = 0, value;
#ifdef BLOCKING
  while (last < 3) {
    queue.wait_dequeue(value);
    assert(value == ++last);
  }
#else
  for (int i = 0; i < 3; i++)
    if (queue.try_dequeue(value))
      assert(value == ++last);
#endif
  writer.join();
  while (queue.try_dequeue(value))
    assert(value == ++last);
  assert(last == 3);
}
