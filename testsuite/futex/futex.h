// The system call, as programs make it.
#pragma once
#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

static inline long futex_wait(void *at, unsigned expected) {
  return syscall(SYS_futex, at, FUTEX_WAIT_PRIVATE, expected, (void *)0);
}
static inline long futex_wake(void *at, int most) { return syscall(SYS_futex, at, FUTEX_WAKE_PRIVATE, most); }
