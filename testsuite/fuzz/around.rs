//! What stands around random programs in C.

/// What the lines of some programs need; in the last two `@` stands for the prefix of names.
#[derive(Debug)]
pub(crate) struct Around {
    /// What the file begins with, the same for all of its programs.
    pub(crate) include: &'static str,
    /// Variables and functions.
    pub(crate) globals: &'static str,
    /// What main does before there are other threads.
    pub(crate) setup: &'static str,
}

/// Where nothing is needed.
pub(crate) static NOTHING: Around = Around { include: "", globals: "", setup: "" };

impl Around {
    /// Whether what is called may be library code in C.
    pub(crate) fn needs_library(&self) -> bool {
        !self.include.is_empty()
    }
}

/// What the C file begins with.
pub(crate) const PRELUDE: &str = "#include <assert.h>\n#include <pthread.h>\n#include <semaphore.h>\n#include <stdatomic.h>\n#include <stdlib.h>\n\
    #include <string.h>\nstatic const struct timespec soon = {1, 0};\n\
    long syscall(long, ...);\nunsigned long malloc_usable_size(void *);\n\
    extern _Bool __VERIFIER_nondet_bool(void);\nextern void __VERIFIER_assume(int);\n\
    extern void __VERIFIER_atomic_begin(void);\nextern void __VERIFIER_atomic_end(void);\n";

/// What library code does for programs with messages, without its looking for queues: of them there is one. What is
/// received is told apart by size and kind; what could not be is negative.
pub(crate) const QUEUES: &str = "unsigned long __verify_queue_put(long *, int, const void *, unsigned long, unsigned long, unsigned, int);\n\
    unsigned long __verify_queue_take(long *, int, long, int, unsigned long, void *, unsigned, int);\n\
    void __verify_queue_look(long *, int, long *);\nvoid __verify_queue_close(long *, int, int);\n\
    static const char bytes[8] = {1, 2, 3, 4, 5, 6, 7, 8};\n\
    static void put(long *queue, int kind, unsigned long type, unsigned long size, int patience) {\n\
      __verify_queue_put(queue, kind, bytes + type + size, type, size, 2, patience);\n}\n\
    static int take(long *queue, int kind, long choice, int flags, unsigned long size, int patience) {\n\
      char buffer[4] = {0};\n\
      unsigned long taken = __verify_queue_take(queue, kind, choice, flags, size, buffer, 2, patience);\n\
      if (taken < 4096) return -(int)taken;\n\
      return -taken <= 4 ? (int)-taken * 10 + buffer[0] + buffer[1] : kind < 2 ? *(char *)taken :\n\
        (int)size * 10 + ((char *)taken)[0] + (size > 1 ? ((char *)taken)[1] : 0);\n}\n\
    static int look(long *queue, int kind) {\n  long found[2];\n  __verify_queue_look(queue, kind, found);\n\
      return (int)(10 * found[0] + found[1]);\n}\n";
