// What is set of descriptors: whether they wait, and locks on parts of files. Such a lock belongs to the process, which
// may take any that no other process holds, and there is one process.
#include "files.h"

#if __SIZEOF_POINTER__ == 8
typedef struct {
  short type, whence;
  long start, length;
  int process;
} Lock;

static int lock(const Description *known, int only_asked, Lock *lock) {
  enum { READ = 0, WRITE = 1, NONE = 2 };
  if (lock->type < READ || lock->type > NONE || lock->whence < 0 || lock->whence > 2) {
    errno = EINVAL;
    return -1;
  }
  if (only_asked) {
    lock->type = NONE;
    return 0;
  }
  int access = known->flags & ACCESS;
  if ((lock->type == READ && access == WRITE_ONLY) || (lock->type == WRITE && access == READ_ONLY)) {
    errno = EBADF;
    return -1;
  }
  return 0;
}
#endif

// FD_CLOEXEC; no other program ever takes the place of this one.
static int on_exec(int descriptor, int set, int value) {
  Description *known = &__verify_descriptions[descriptor];
  pthread_mutex_lock(&__verify_names);
  int closes = set ? 0 : known->closes_on_exec;
  if (set)
    known->closes_on_exec = value & 1;
  pthread_mutex_unlock(&__verify_names);
  return closes;
}

// Only the ends of a pipe are for one thing alone.
static int access_of(const End *end) {
  return end->expire || !end->source == !end->sink ? READ_WRITE : end->source ? READ_ONLY : WRITE_ONLY;
}

// That this is a part of the program says that flags may change.
char __verify_sets_flags = 1;

int fcntl(int descriptor, int command, ...) {
  enum { GET_DESCRIPTOR = 1, SET_DESCRIPTOR = 2, GET = 3, SET = 4, GET_LOCK = 5, SET_LOCK = 6, WAIT_FOR_LOCK = 7 };
  __builtin_va_list rest;
  __builtin_va_start(rest, command);
  int value = command == SET || command == SET_DESCRIPTOR ? __builtin_va_arg(rest, int) : 0;
#if __SIZEOF_POINTER__ == 8
  Lock *wanted = command >= GET_LOCK && command <= WAIT_FOR_LOCK ? __builtin_va_arg(rest, Lock *) : NULL;
#endif
  __builtin_va_end(rest);
  int open, may_change = __verify_sets_flags;
  End *end = __verify_end(descriptor, &open);
  Description *known = descriptor >= 0 && descriptor < DESCRIPTORS ? &__verify_descriptions[descriptor] : NULL;
  if (end ? !open : !__verify_is_open(descriptor)) {
    errno = EBADF;
    return -1;
  }
  switch (command) {
  case GET_DESCRIPTOR:
  case SET_DESCRIPTOR:
    return on_exec(descriptor, command == SET_DESCRIPTOR, value);
  case GET:
    return end ? access_of(end) | end->flags : descriptor == 1 || descriptor == 2 ? WRITE_ONLY : known->flags & (ACCESS | APPEND);
#if __SIZEOF_POINTER__ == 8
  case WAIT_FOR_LOCK:
    pthread_testcancel();
    // fallthrough
  case GET_LOCK:
  case SET_LOCK:
    if (end || descriptor <= 2)
      break;
    return lock(known, command == GET_LOCK, wanted);
#endif
  case SET:
    if (end && may_change)
      end->flags = value & NOT_WAITING;
    else if (value & APPEND && !(known->flags & APPEND))
      __verify_not_modelled("fcntl(F_SETFL) with O_APPEND");
    return 0;
  }
  __verify_not_modelled("fcntl with another command than F_GETFL, F_SETFL, F_GETFD and F_SETFD, and F_GETLK, F_SETLK and F_SETLKW of files");
  return -1;
}
int fcntl64(int descriptor, int command, ...) EXPORT_AS("fcntl");
