// eventfd: a counter with a descriptor.
#include "waiting.h"

enum { EAGAIN = 11, SEMAPHORE = 1 };
typedef struct {
  End end;
  Mutex lock;
  Condition changed;
  uint64_t count;
  int by_one, flags;
} Counter;

static int waits(Counter *counter) {
  return !((__verify_linked("__verify_sets_flags") ? counter->end.flags : counter->flags) & NOT_WAITING);
}

// Waits until there is room for that much, or, for 0, until there is something to take. The lock is held.
static int wait_until(Counter *counter, Mutex *lock, uint64_t more) {
  while (more ? counter->count > ~1ull - more : counter->count == 0) {
    if (!waits(counter)) {
      errno = EAGAIN;
      return -1;
    }
    wait_cleanly(&counter->changed, lock, NULL, NULL, NULL);
  }
  return 0;
}

static long take(End *end, void *to, size_t size) {
  Counter *counter = (Counter *)end;
  if (size < 8) {
    errno = EINVAL;
    return -1;
  }
  Mutex *lock = lock_of(&counter->lock);
  pthread_mutex_lock(lock);
  long result = -1;
  if (wait_until(counter, lock, 0) == 0) {
    uint64_t taken = counter->by_one ? 1 : counter->count;
    counter->count -= taken;
    __builtin_memcpy(to, &taken, 8);
    result = 8;
    pthread_cond_broadcast(&counter->changed);
    changed_under_lock(counter, READY_OUT);
  }
  pthread_mutex_unlock(lock);
  return result;
}

static long add(End *end, const void *from, size_t size) {
  Counter *counter = (Counter *)end;
  uint64_t more;
  if (size >= 8)
    __builtin_memcpy(&more, from, 8);
  if (size < 8 || more == ~0ull) {
    errno = EINVAL;
    return -1;
  }
  Mutex *lock = lock_of(&counter->lock);
  pthread_mutex_lock(lock);
  long result = -1;
  if (more == 0 || wait_until(counter, lock, more) == 0) {
    counter->count += more;
    result = 8;
    pthread_cond_broadcast(&counter->changed);
    changed_under_lock(counter, READY_IN);
  }
  pthread_mutex_unlock(lock);
  return result;
}

static void close_counter(End *end) { (void)end; }

static int ready(End *end) {
  Counter *counter = (Counter *)end;
  return (counter->count ? READY_IN : 0) | (counter->count < ~1ull ? READY_OUT : 0);
}

int eventfd(unsigned count, int flags) {
  if (flags & ~(SEMAPHORE | NOT_WAITING | CLOSE_ON_EXEC)) {
    errno = EINVAL;
    return -1;
  }
  Counter *counter = __verify_keep(sizeof *counter);
  *counter = (Counter){.end = {take, add, close_counter, ready, flags & NOT_WAITING, counter, counter, NULL, 0, 0}};
  counter->count = count;
  counter->by_one = flags & SEMAPHORE;
  counter->flags = flags & NOT_WAITING;
  return __verify_open_end(&counter->end, flags);
}
int eventfd_read(int descriptor, uint64_t *to) { return __verify_read(descriptor, to, 8) == 8 ? 0 : -1; }
int eventfd_write(int descriptor, uint64_t more) { return __verify_write(descriptor, &more, 8) == 8 ? 0 : -1; }
