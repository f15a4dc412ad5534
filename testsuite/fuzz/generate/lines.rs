//! Lines of random programs.
use crate::around::Around;

/// What critical sections touch.
pub(super) static SECTIONED: Around = Around {
    include: "",
    globals: "static int @z[4], @d[3], @f[4]; static pthread_mutex_t @n, @e, @l;",
    setup: "{ pthread_mutexattr_t a; pthread_mutexattr_init(&a);\
        pthread_mutexattr_settype(&a, PTHREAD_MUTEX_RECURSIVE); pthread_mutex_init(&@n, &a);\
        pthread_mutexattr_settype(&a, PTHREAD_MUTEX_ERRORCHECK); pthread_mutex_init(&@e, &a);\
        pthread_mutexattr_setrobust(&a, PTHREAD_MUTEX_ROBUST); pthread_mutex_init(&@l, &a); }",
};

/// What depends on which thread comes first, most of all the first [`AT_ONCE`] lines.
pub(super) const FIRST_COMES: [&str; 18] = [
    "if (atomic_fetch_add(&@a0, 1) == 0) @g0 = 1;",
    "if (atomic_fetch_add_explicit(&@a0, 1, memory_order_relaxed) == 1) r = @g0;",
    "if (!atomic_exchange(&@a0, 1)) @g1 = (int)pthread_self();",
    "if (!atomic_exchange(&@a1, 1)) sem_wait(&@v);",
    "if (pthread_self() == @t[0]) r = atomic_load(&@a0);",
    "assert(pthread_self() != @t[1] || atomic_load(&@a0) < 2);",
    "if (atomic_fetch_add(&@a0, 1) == 1) return 0;",
    "assert(atomic_fetch_add(&@a1, 1) != 1);",
    "r = atomic_fetch_add(&@a0, 1); pthread_setspecific(@y, &@a1);",
    "{ int *n = malloc(4); if (!atomic_exchange(&@a0, 1)) @h = n; else assert(@h < n); }",
    "r = sem_trywait(&@u) == 0; @a0 += r;",
    "r = sem_timedwait(&@v, &soon) == 0;",
    "sem_wait(&@u); @g0++; sem_post(&@u);",
    "pthread_once(&@o, @once); r = @g1;",
    "r = pthread_mutex_trylock(&@m0); if (!r) { @g1 = @g0 + 1; pthread_mutex_unlock(&@m0); }",
    "pthread_mutex_lock(&@m0); @g0 = 2 * @g0 + 1; pthread_mutex_unlock(&@m0);",
    "r = pthread_barrier_wait(&@b) != 0; @a1 += r;",
    "if (atomic_fetch_add(&@a1, 1) == 0) exit(0);",
];

pub(super) const AT_ONCE: usize = 4;

/// What main does while other threads run.
pub(super) const MEANWHILE: [&str; 9] = [
    "@g0 = 3;",
    "atomic_store(&@a0, 2);",
    "assert(@g0 != 1);",
    "assert(atomic_load(&@a0) != 1);",
    "sem_post(&@v);",
    "@g1 = (int)@t[0];",
    "pthread_mutex_lock(&@m0); @g0++; pthread_mutex_unlock(&@m0);",
    "{ int l = 0; for (int i = 0; i < 2; i++) l += i; }",
    "if (@g1 == 1) assert(0);",
];

/// Threads that are alike take different parts: one hangs, fails an assumption or leaves something to be seen.
pub(super) const PARTS: [&str; 6] = [
    "if (!atomic_exchange(&@a0, 1)) __VERIFIER_assume(0); else pthread_mutex_lock(&@m0);",
    "if (!atomic_exchange(&@a0, 1)) sem_wait(&@u);",
    "if (!atomic_exchange(&@a0, 1)) atomic_store(&@a1, 1);",
    "if (atomic_fetch_add(&@a0, 1) == 1) pthread_mutex_lock(&@m0);",
    "if (!atomic_exchange(&@a0, 1)) assert(0); else pthread_mutex_lock(&@m0);",
    "if (atomic_fetch_add(&@a0, 1) == 1) sem_post(&@v);",
];

/// What main does before it has created the second one of them.
pub(super) const PARTS_BEFORE: [&str; 3] = ["pthread_mutex_lock(&@m0);", "", "sem_wait(&@u);"];

/// What main does between the joins of them.
pub(super) const PARTS_BETWEEN: [&str; 5] =
    ["", "sem_wait(&@u); assert(0);", "__VERIFIER_assume(@a1 == 0); assert(0);", "sem_wait(&@v);", "assert(@a1 == 0);"];

/// What another thread does meanwhile.
pub(super) const PARTS_BESIDE: [&str; 4] = ["exit(0);", "sem_wait(&@v);", "@a1 = 1;", "r = @a0;"];

/// How many of [`SECTIONS`] do nothing but touch plain variables, and how many never do anything wrong.
pub(super) const QUIET_SECTIONS: usize = 18;
pub(super) const HARMLESS_SECTIONS: usize = 42;

/// Critical sections, of locks of all kinds. Mutex 0 protects all of `z` but its last element, mutex 1 that one. The
/// recursive mutex `n` and the error-checking mutex `e` protect `d`. The read-write lock, the spin lock and the robust
/// mutex `l` protect `f`.
pub(super) const SECTIONS: [&str; 60] = [
    "pthread_mutex_lock(&@m0); @z[0]++; pthread_mutex_unlock(&@m0);",
    "pthread_mutex_lock(&@m0); @z[1]++; pthread_mutex_unlock(&@m0);",
    "pthread_mutex_lock(&@m0); @z[2] = r + 1; pthread_mutex_unlock(&@m0);",
    "pthread_mutex_lock(&@m0); r = @z[0]; pthread_mutex_unlock(&@m0);",
    "pthread_mutex_lock(&@m0); r = @z[1] + @z[2]; pthread_mutex_unlock(&@m0);",
    "pthread_mutex_lock(&@m0); @z[r & 1] = 1; pthread_mutex_unlock(&@m0);",
    "pthread_mutex_lock(&@m0); if (@z[1] == 1) @z[1] = 2; pthread_mutex_unlock(&@m0);",
    "pthread_mutex_lock(&@m0); @z[2] = @z[0]; @z[0] = 0; pthread_mutex_unlock(&@m0);",
    "pthread_mutex_lock(&@m0); memset(@z, 0, 8); pthread_mutex_unlock(&@m0);",
    "pthread_mutex_lock(&@m0); ((char *)@z)[r & 7]++; pthread_mutex_unlock(&@m0);",
    "pthread_mutex_lock(&@m0); for (int i = 0; i < 3; i++) @z[i] += i; pthread_mutex_unlock(&@m0);",
    "pthread_mutex_lock(&@m1); @z[3]++; pthread_mutex_unlock(&@m1);",
    "pthread_mutex_lock(&@m1); r += @z[3]; pthread_mutex_unlock(&@m1);",
    "pthread_mutex_lock(&@m0); pthread_mutex_unlock(&@m0);",
    "pthread_mutex_lock(&@n); @d[0]++; pthread_mutex_unlock(&@n);",
    "pthread_mutex_lock(&@n); @d[r & 1] = 2; pthread_mutex_unlock(&@n);",
    "pthread_mutex_lock(&@e); @d[2] += r; pthread_mutex_unlock(&@e);",
    "{ pthread_mutex_lock(&@m0); int *q = malloc(4); *q = @z[1]; r = *q; free(q); pthread_mutex_unlock(&@m0); }",
    "pthread_mutex_lock(&@m0); pthread_mutex_lock(&@m1); @z[r & 3]++; pthread_mutex_unlock(&@m1); pthread_mutex_unlock(&@m0);",
    "pthread_mutex_lock(&@m0); @a0++; @z[1]++; pthread_mutex_unlock(&@m0);",
    "pthread_mutex_lock(&@m0); if (@z[0] == 1) r = @a0; pthread_mutex_unlock(&@m0);",
    "if (!pthread_mutex_trylock(&@m0)) { @z[1]++; pthread_mutex_unlock(&@m0); }",
    "r = pthread_mutex_timedlock(&@m1, &soon); if (!r) { @z[3]++; pthread_mutex_unlock(&@m1); }",
    "pthread_mutex_lock(&@m0); @z[0] = 1; pthread_cond_signal(&@c0); pthread_mutex_unlock(&@m0);",
    "pthread_mutex_lock(&@m0); if (!@z[0]) pthread_cond_timedwait(&@c0, &@m0, &soon); pthread_mutex_unlock(&@m0);",
    "@a0 = r + 1;",
    "r = @a0;",
    "pthread_mutex_lock(&@n); pthread_mutex_lock(&@n); @d[1]++; pthread_mutex_unlock(&@n); @d[0] = 1; pthread_mutex_unlock(&@n);",
    "pthread_mutex_lock(&@e); r = pthread_mutex_lock(&@e) != 0; @d[2]++; pthread_mutex_unlock(&@e);",
    "pthread_mutex_lock(&@m0); pthread_mutex_lock(&@n); @z[1] += @d[1]; pthread_mutex_unlock(&@n); pthread_mutex_unlock(&@m0);",
    "pthread_rwlock_rdlock(&@w); r = @f[0]; pthread_rwlock_unlock(&@w);",
    "pthread_rwlock_wrlock(&@w); @f[0]++; pthread_rwlock_unlock(&@w);",
    "pthread_mutex_lock(&@m0); pthread_rwlock_rdlock(&@w); @z[0] = @f[1]; pthread_rwlock_unlock(&@w); pthread_mutex_unlock(&@m0);",
    "pthread_rwlock_wrlock(&@w); pthread_mutex_lock(&@n); @d[0]++; pthread_mutex_unlock(&@n); @f[1] = 1; pthread_rwlock_unlock(&@w);",
    "r = pthread_rwlock_tryrdlock(&@w); if (!r) { r = @f[0]; pthread_rwlock_unlock(&@w); }",
    "pthread_spin_lock(&@i); @f[2]++; pthread_spin_unlock(&@i);",
    "pthread_mutex_lock(&@m1); pthread_spin_lock(&@i); @z[3] += @f[2]; pthread_spin_unlock(&@i); pthread_mutex_unlock(&@m1);",
    "pthread_mutex_lock(&@l); @f[3]++; pthread_mutex_unlock(&@l);",
    "r = pthread_mutex_trylock(&@n); if (!r) { @d[0]++; pthread_mutex_unlock(&@n); }",
    "r = pthread_mutex_unlock(&@e) != 0;",
    "pthread_mutex_lock(&@m1); pthread_mutex_lock(&@l); @z[3] = @f[3]; pthread_mutex_unlock(&@m1); pthread_mutex_unlock(&@l);",
    "pthread_mutex_lock(&@m0); r = @z[2]; pthread_mutex_lock(&@m1); pthread_mutex_unlock(&@m0); @z[3] += r; pthread_mutex_unlock(&@m1);",
    "pthread_mutex_lock(&@m0); if (!@z[0]) pthread_cond_wait(&@c0, &@m0); pthread_mutex_unlock(&@m0);",
    "pthread_mutex_lock(&@m1); pthread_mutex_lock(&@m0); @z[0]++; pthread_mutex_unlock(&@m0); pthread_mutex_unlock(&@m1);",
    "pthread_mutex_lock(&@m0); if (@z[0] == 2) return 0; @z[0]++; pthread_mutex_unlock(&@m0);",
    "pthread_mutex_lock(&@m0); assert(@z[1] != 2); pthread_mutex_unlock(&@m0);",
    "pthread_mutex_lock(&@m0); r = @z[0]; pthread_mutex_unlock(&@m0); assert(r != 2);",
    "pthread_mutex_lock(&@m0); @z[3]++; pthread_mutex_unlock(&@m0);",
    "@z[2]++;",
    "r = @z[1];",
    "pthread_mutex_lock(&@n); pthread_mutex_lock(&@m0); @z[0]++; @d[1] = 1; pthread_mutex_unlock(&@m0); pthread_mutex_unlock(&@n);",
    "r = pthread_mutex_lock(&@l); if (@f[3] == 1) return 0; @f[3]++; if (r) pthread_mutex_consistent(&@l); pthread_mutex_unlock(&@l);",
    "pthread_rwlock_wrlock(&@w); pthread_mutex_lock(&@m0); @z[1] = 3; pthread_mutex_unlock(&@m0); pthread_rwlock_unlock(&@w);",
    "pthread_mutex_lock(&@e); @d[0]++; pthread_mutex_unlock(&@e);",
    "pthread_mutex_destroy(&@m0);",
    "pthread_mutex_init(&@m1, 0);",
    "pthread_mutex_unlock(&@m0);",
    "pthread_mutex_lock(&@m0); r = malloc_usable_size(@h) > 2; pthread_mutex_unlock(&@m0);",
    "pthread_mutex_lock(&@m0); free(@h); pthread_mutex_unlock(&@m0);",
    "exit(0);",
];

/// Words that events have changed, and then plain stores.
pub(super) static OVERWRITTEN: Around = Around {
    include: "",
    globals: "",
    setup: "atomic_fetch_add(&@a0, 3); *(int *)&@a0 = 1; atomic_fetch_add(&@a1, 2); *(int *)&@a1 = 0;",
};

/// Atomic blocks, and what depends on the value of a word that a block may have written.
pub(super) const BLOCKS: [&str; 22] = [
    "__VERIFIER_atomic_begin(); atomic_store(&@a0, 1); __VERIFIER_atomic_end();",
    "__VERIFIER_atomic_begin(); @a0 = 2; @a1 = 1; __VERIFIER_atomic_end();",
    "__VERIFIER_atomic_begin(); @a0 ^= 1; __VERIFIER_atomic_end();",
    "__VERIFIER_atomic_begin(); if (@a1) @a0 = 0; __VERIFIER_atomic_end();",
    "__VERIFIER_atomic_begin(); r = @a0 + @a1; __VERIFIER_atomic_end();",
    "__VERIFIER_atomic_begin(); @g0++; @a1 = r; __VERIFIER_atomic_end();",
    "{ int e = 0; atomic_compare_exchange_strong(&@a0, &e, 1); r = e; }",
    "{ int e = 1; if (atomic_compare_exchange_strong(&@a0, &e, 2)) @a1 = 1; }",
    "{ int e = r; r = atomic_compare_exchange_weak(&@a1, &e, 3); }",
    "{ int e = 0; __VERIFIER_atomic_begin(); r = atomic_compare_exchange_strong(&@a0, &e, 1); __VERIFIER_atomic_end(); }",
    "r = atomic_fetch_add(&@a0, 1);",
    "atomic_fetch_add(&@a0, 1);",
    "atomic_fetch_add(&@a1, 1);",
    "r = atomic_load(&@a0);",
    "assert(r != 1);",
    "atomic_store(&@a0, 2);",
    "assert(atomic_load(&@a0) != 2);",
    "atomic_store(&@a1, 1);",
    "r = (int)syscall(202, &@a0, 0, 0, 0L);",
    "r = (int)syscall(202, &@a0, 0, 1, &soon);",
    "r = (int)syscall(202, &@a0, 1, 1);",
    "r = (int)syscall(202, &@a0, 4, 1, 9L, &@a1, 1);",
];

/// Loops that lock a mutex in each turn, to see what others have done.
pub(super) const POLLS: [&str; 32] = [
    "for (int n = 0, d;;) { pthread_mutex_lock(&@m0); d = @g0; pthread_mutex_unlock(&@m0); if (d) break; ROUND(n); }",
    "for (int n = 0, d;;) { pthread_mutex_lock(&@m0); d = @g0 == 2; pthread_mutex_unlock(&@m0); if (d) break; sched_yield(); ROUND(n); }",
    "for (int n = 0, d;;) { pthread_mutex_lock(&@m0); d = @g0 && @g1; pthread_mutex_unlock(&@m0); if (d) break; ROUND(n); }",
    "for (int n = 0, d;;) { pthread_mutex_lock(&@m0); d = @g0; if (d) @g0 = d - 1; pthread_mutex_unlock(&@m0); if (d) break; ROUND(n); }",
    "for (int n = 0, d;;) { pthread_mutex_lock(&@m0); d = @g0; if (!d) @g1 = 1; pthread_mutex_unlock(&@m0); if (d) break; ROUND(n); }",
    "for (int n = 0;;) { pthread_mutex_lock(&@m0); if (@g0) break; pthread_mutex_unlock(&@m0); ROUND(n); } @g1++; pthread_mutex_unlock(&@m0);",
    "for (int n = 0;;) { pthread_mutex_lock(&@m0); if (@g0) break; pthread_mutex_unlock(&@m0); ROUND(n); }",
    "for (int n = 0, d;;) { pthread_mutex_lock(&@m0); d = @g0 ? 1 : @g1; pthread_mutex_unlock(&@m0); if (d) break; ROUND(n); }",
    "for (int n = 0, k = 0, d;; k ^= 1) { pthread_mutex_lock(&@m0); d = @g0; pthread_mutex_unlock(&@m0); if (d) break; ROUND(n); }",
    "{ int k = 0; for (int n = 0, d;;) { pthread_mutex_lock(&@m0); d = @g0; pthread_mutex_unlock(&@m0); if (d) break; if (k < 2) k++; ROUND(n); } @a1 += k; }",
    "for (int n = 0, k = 0, d;; k ^= 1) { pthread_mutex_lock(&@m0); d = @g0; if (k) r = @g1; pthread_mutex_unlock(&@m0); if (d) break; ROUND(n); }",
    "for (int n = 0, k = 0, d;; k ^= 1) { pthread_mutex_lock(&@m0); d = @g0; if (k) d += *(volatile int *)&@g1; pthread_mutex_unlock(&@m0); if (d & 1) break; ROUND(n); }",
    "for (int n = 0, k = 0, d;; k ^= 1) { pthread_mutex_lock(&@m0); d = k ? @g0 : @g1; pthread_mutex_unlock(&@m0); if (d) break; ROUND(n); }",
    "for (int n = 0, d;;) { pthread_mutex_lock(&@m0); d = @g0; pthread_mutex_unlock(&@m0); if (d || @a0) break; ROUND(n); }",
    "for (int n = 0, d;;) { pthread_mutex_lock(&@m0); d = @g0 + @a0; pthread_mutex_unlock(&@m0); if (d) break; ROUND(n); }",
    "for (int n = 0, d; @a0 != 1;) { pthread_mutex_lock(&@m0); d = @g0; pthread_mutex_unlock(&@m0); if (d) break; ROUND(n); }",
    "for (int n = 0, d;;) { pthread_mutex_lock(&@m0); pthread_mutex_lock(&@m1); d = @g0; pthread_mutex_unlock(&@m1); pthread_mutex_unlock(&@m0); if (d) break; ROUND(n); }",
    "for (int n = 0, d;;) { pthread_mutex_lock(&@m0); pthread_mutex_unlock(&@m0); pthread_mutex_lock(&@m1); d = @g1; pthread_mutex_unlock(&@m1); if (d) break; ROUND(n); }",
    "pthread_mutex_lock(&@m1); for (int n = 0, d;;) { pthread_mutex_lock(&@m0); d = @g0; pthread_mutex_unlock(&@m0); if (d) break; ROUND(n); } pthread_mutex_unlock(&@m1);",
    "for (int n = 0, d;;) { pthread_mutex_lock(&@m1); d = @g0; pthread_mutex_unlock(&@m1); if (d) break; ROUND(n); }",
    // Turns that are counted with the mutex or without it, where an address leads or not, at which nobody looks, or
    // somebody does.
    "{ unsigned *q = calloc(1, sizeof *q); for (int n = 0, d;;) { pthread_mutex_lock(&@m0); d = @g0; *q = (*q + 1) & 3; pthread_mutex_unlock(&@m0); if (d) break; ROUND(n); } free(q); }",
    "{ unsigned *q = calloc(1, sizeof *q); for (int n = 0, d;;) { pthread_mutex_lock(&@m0); d = @g0; pthread_mutex_unlock(&@m0); if (d) break; *q ^= 1; ROUND(n); } if (*q) @a1++; free(q); }",
    "{ unsigned *q = calloc(1, sizeof *q); for (int n = 0, d;;) { pthread_mutex_lock(&@m0); d = @g0 && @g1; pthread_mutex_unlock(&@m0); if (d) break; *q = (*q + 1) & 3; ROUND(n); } extern int printf(const char *, ...); printf(\"%u\", *q); free(q); }",
    "{ unsigned *q = calloc(2, sizeof *q); for (int n = 0, d;;) { pthread_mutex_lock(&@m0); d = @g0; if (!d) q[0] ^= 1; pthread_mutex_unlock(&@m0); if (d) break; q[1] ^= 1; ROUND(n); } if (@a0) @a1 += q[0]; free(q); }",
    "for (int n = 0, d;;) { pthread_mutex_lock(&@m0); d = @g0; if (!d) @g1 ^= 1; pthread_mutex_unlock(&@m0); if (d) break; ROUND(n); }",
    "for (int n = 0, d;;) { pthread_mutex_lock(&@m0); d = @g0; pthread_mutex_unlock(&@m0); if (d) break; @g1 ^= 1; ROUND(n); }",
    "for (int n = 0, d;;) { pthread_mutex_lock(&@m0); d = @g0; if (!d) @g1 = (@g1 + 1) & 3; pthread_mutex_unlock(&@m0); if (d) break; ROUND(n); } { extern int printf(const char *, ...); printf(\"%d\", @g1); }",
    "for (int n = 0, d;;) { pthread_mutex_lock(&@m0); d = @g0; pthread_mutex_unlock(&@m0); if (d) break; atomic_fetch_xor(&@a1, 1); ROUND(n); }",
    "for (int n = 0, d;;) { pthread_mutex_lock(&@m0); d = @g0; atomic_fetch_or_explicit(&@a1, 2, memory_order_relaxed); pthread_mutex_unlock(&@m0); if (d) break; ROUND(n); }",
    "{ unsigned k = 0, *q = calloc(1, sizeof *q); for (int n = 0, d;;) { pthread_mutex_lock(&@m0); d = @g0; pthread_mutex_unlock(&@m0); if (d) break; k = (k + 1) & 3; ROUND(n); } *q += k; free(q); }",
    "{ unsigned k = 0; for (int n = 0, d;;) { pthread_mutex_lock(&@m0); d = @g0; pthread_mutex_unlock(&@m0); if (d) break; k ^= 1; ROUND(n); } @g1 = (int)(@g1 + k); }",
    "{ unsigned *q = calloc(1, sizeof *q); for (int n = 0, k = 0, d;; k ^= 1) { pthread_mutex_lock(&@m0); d = @g0; if (k) *q ^= 1; pthread_mutex_unlock(&@m0); if (d) break; if (!k) *q ^= 1; ROUND(n); } free(q); }",
];

/// Loops whose turns have several actions, locks among them, until something that is not locked says that they end.
pub(super) const GOES_ROUND: [&str; 26] = [
    "for (int n = 0; !@a0;) { pthread_rwlock_rdlock(&@w); r = @a1; pthread_rwlock_unlock(&@w); ROUND(n); }",
    "for (int n = 0; @a0 != 1;) { pthread_rwlock_rdlock(&@w); r = @a0; pthread_rwlock_unlock(&@w); ROUND(n); }",
    "for (int n = 0; !@a0;) { pthread_mutex_lock(&@m0); if (@g0) @g1++; pthread_mutex_unlock(&@m0); ROUND(n); }",
    "for (int n = 0; !@a0;) { pthread_mutex_lock(&@m0); if (@g0) { @g0--; @g1++; } pthread_mutex_unlock(&@m0); ROUND(n); }",
    "for (int n = 0, d; @a0 != 1;) { pthread_mutex_lock(&@m0); d = @g0; pthread_mutex_unlock(&@m0); if (d == 2) break; ROUND(n); }",
    "for (int n = 0; !@a0;) { pthread_mutex_lock(&@m0); r = @g0; pthread_mutex_unlock(&@m0); ROUND(n); }",
    "for (int n = 0; @a0 == @a1;) { pthread_mutex_lock(&@m0); r = @g0; pthread_mutex_unlock(&@m0); ROUND(n); }",
    "for (int n = 0; !@a0;) { pthread_mutex_lock(&@m0); @g1 = 1; pthread_mutex_unlock(&@m0); ROUND(n); }",
    "for (int n = 0; !@a0;) { pthread_mutex_lock(&@m0); @g1++; @g1--; pthread_mutex_unlock(&@m0); ROUND(n); }",
    "for (int n = 0; !@a0;) { pthread_mutex_lock(&@m0); if (@a1) @g1 = 2; pthread_mutex_unlock(&@m0); ROUND(n); }",
    "for (int n = 0; !@a0;) { pthread_mutex_lock(&@m0); pthread_mutex_lock(&@m1); r = @g1; pthread_mutex_unlock(&@m1); pthread_mutex_unlock(&@m0); ROUND(n); }",
    "for (int n = 0; !@a0;) { pthread_mutex_lock(&@m1); pthread_mutex_lock(&@m0); r = @g1; pthread_mutex_unlock(&@m0); pthread_mutex_unlock(&@m1); ROUND(n); }",
    "for (int n = 0; !@a0;) { pthread_mutex_lock(&@m0); pthread_mutex_lock(&@m1); pthread_mutex_unlock(&@m0); r = @g1; pthread_mutex_unlock(&@m1); ROUND(n); }",
    "pthread_mutex_lock(&@m1); for (int n = 0; !@a0;) { pthread_mutex_unlock(&@m1); pthread_mutex_lock(&@m1); ROUND(n); } pthread_mutex_unlock(&@m1);",
    "pthread_mutex_lock(&@m1); for (int n = 0; !@a0;) { pthread_mutex_lock(&@m0); r = @g0; pthread_mutex_unlock(&@m0); ROUND(n); } pthread_mutex_unlock(&@m1);",
    "for (int n = 0, k = 0; !@a0; k ^= 1) { pthread_mutex_lock(&@m0); if (k) r = @g1; pthread_mutex_unlock(&@m0); ROUND(n); }",
    "{ int k = 0; for (int n = 0; !@a0;) { pthread_mutex_lock(&@m0); r = @g0; pthread_mutex_unlock(&@m0); if (k < 2) k++; ROUND(n); } @a1 += k; }",
    "for (int n = 0; !@a0;) { pthread_mutex_lock(&@m0); r = @g0; pthread_mutex_unlock(&@m0); if (@a1 != 1) @a1 = 1; ROUND(n); }",
    "for (int n = 0; !@a0;) { pthread_mutex_lock(&@m0); assert(@g0 != 2 || @g1); pthread_mutex_unlock(&@m0); ROUND(n); }",
    "for (int n = 0; !@a0;) { pthread_mutex_lock(&@m0); pthread_mutex_unlock(&@m0); r = *(volatile int *)&@g1; ROUND(n); }",
    "for (int n = 0; !@a0;) { pthread_mutex_lock(&@m0); pthread_cond_signal(&@c0); pthread_mutex_unlock(&@m0); ROUND(n); }",
    "for (int n = 0; !@a0;) { pthread_mutex_lock(&@m0); free(malloc(1)); pthread_mutex_unlock(&@m0); ROUND(n); }",
    "for (int n = 0; !@a0;) { pthread_rwlock_rdlock(&@w); pthread_mutex_lock(&@m0); r = @g0; pthread_mutex_unlock(&@m0); pthread_rwlock_unlock(&@w); ROUND(n); }",
    "for (int n = 0; !@a0;) { pthread_rwlock_wrlock(&@w); r = @a1; pthread_rwlock_unlock(&@w); ROUND(n); }",
    "for (int n = 0; !@a0;) { pthread_spin_lock(&@i); pthread_mutex_lock(&@m0); r = @g0; pthread_mutex_unlock(&@m0); pthread_spin_unlock(&@i); ROUND(n); }",
    "for (int n = 0; n < 3;) { int d; do { pthread_mutex_lock(&@m0); d = @g0; pthread_mutex_unlock(&@m0); ROUND(n); } while (!@a0 && !d); if (@a0) break; }",
];

/// What others do meanwhile, besides [`POLLED`].
pub(super) const GONE_ROUND: [&str; 9] = [
    "pthread_rwlock_rdlock(&@w); r = @a1; pthread_rwlock_unlock(&@w);",
    "@a0 = 1;",
    "@a0 = 1;",
    "@a1 = 1;",
    "pthread_mutex_lock(&@m0); @g0 = 2; @a0 = 1; pthread_mutex_unlock(&@m0);",
    "pthread_rwlock_wrlock(&@w); pthread_mutex_lock(&@m0); @g0 = 1; pthread_mutex_unlock(&@m0); pthread_rwlock_unlock(&@w);",
    "pthread_spin_lock(&@i); pthread_spin_unlock(&@i);",
    "pthread_mutex_lock(&@m0); @g0 = 1; pthread_mutex_unlock(&@m0); @a0 = 1;",
    "pthread_mutex_lock(&@m1); pthread_mutex_lock(&@m0); @g1 = 1; pthread_mutex_unlock(&@m0); pthread_mutex_unlock(&@m1);",
];

/// What others do meanwhile. Mutex 0 protects both variables, mutex 1 the second one too.
pub(super) const POLLED: [&str; 9] = [
    "pthread_mutex_lock(&@m0); @g0++; pthread_mutex_unlock(&@m0);",
    "pthread_mutex_lock(&@m0); @g0 = 1; pthread_mutex_unlock(&@m0);",
    "pthread_mutex_lock(&@m0); @g0 = 2; @g1 = 1; pthread_mutex_unlock(&@m0);",
    "pthread_mutex_lock(&@m0); pthread_mutex_lock(&@m1); @g1 = 1; pthread_mutex_unlock(&@m1); pthread_mutex_unlock(&@m0);",
    "pthread_mutex_lock(&@m0); @g0 = 0; @a0 = 1; pthread_mutex_unlock(&@m0);",
    "pthread_mutex_lock(&@m0); r = @g0; @g0 = 1; pthread_mutex_unlock(&@m0); assert(r != 1);",
    "pthread_mutex_lock(&@m1); r = @a0; pthread_mutex_unlock(&@m1);",
    "pthread_mutex_lock(&@m0); if (@g0 == 2) assert(@g1 == 1); pthread_mutex_unlock(&@m0);",
    "pthread_mutex_lock(&@m0); @g0 = 1; pthread_cond_signal(&@c0); pthread_mutex_unlock(&@m0);",
];

/// What leaves actions without order, and what could see that a mutex is held.
pub(super) const UNORDERED: [&str; 5] = [
    "atomic_store_explicit(&@a0, 1, memory_order_relaxed);",
    "if (atomic_load_explicit(&@a0, memory_order_relaxed)) @g1 = 2;",
    "if (atomic_load_explicit(&@a0, memory_order_relaxed)) { pthread_mutex_lock(&@m0); @g0 = 1; pthread_mutex_unlock(&@m0); }",
    "if (pthread_mutex_trylock(&@m0)) @a1++; else pthread_mutex_unlock(&@m0);",
    "if (pthread_mutex_trylock(&@m0)) atomic_store_explicit(&@a1, 1, memory_order_relaxed); else { @g0 = 1; pthread_mutex_unlock(&@m0); }",
];
