// The system call, as programs make it.
#pragma once
#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

// (Macros, so that a place in the program is where it is called.)
#define futex_wait(at, expected) syscall(SYS_futex, at, FUTEX_WAIT_PRIVATE, expected, (void *)0)
#define futex_wake(at, most) syscall(SYS_futex, at, FUTEX_WAKE_PRIVATE, most)
