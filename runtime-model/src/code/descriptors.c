// What is set of descriptors: whether they wait.
#include "files.h"

// That this is a part of the program says that flags may change.
char __verify_sets_flags = 1;

int fcntl(int descriptor, int command, ...) {
  enum { GET_DESCRIPTOR = 1, SET_DESCRIPTOR = 2, GET = 3, SET = 4 };
  __builtin_va_list rest;
  __builtin_va_start(rest, command);
  int value = command == SET ? __builtin_va_arg(rest, int) : 0;
  __builtin_va_end(rest);
  int open, may_change = __verify_sets_flags;
  End *end = __verify_end(descriptor, &open);
  Description *known = descriptor >= 0 && descriptor < DESCRIPTORS ? &__verify_descriptions[descriptor] : NULL;
  if ((end && !open) || (!end && (!known || (descriptor > 2 && !known->file)))) {
    errno = EBADF;
    return -1;
  }
  switch (command) {
  case GET_DESCRIPTOR:
  case SET_DESCRIPTOR:
    return 0;
  case GET:
    return end ? READ_WRITE | end->flags : descriptor == 1 || descriptor == 2 ? WRITE_ONLY : known->flags & (ACCESS | APPEND);
  case SET:
    if (end && may_change)
      end->flags = value & NOT_WAITING;
    else if (value & APPEND && !(known->flags & APPEND))
      __verify_not_modelled("fcntl(F_SETFL) with O_APPEND");
    return 0;
  }
  __verify_not_modelled("fcntl with another command than F_GETFL, F_SETFL, F_GETFD and F_SETFD");
  return -1;
}
int fcntl64(int descriptor, int command, ...) EXPORT_AS("fcntl");
