//! Lines of random programs.
use crate::around::Around;

/// What critical sections touch.
pub(super) static SECTIONED: Around = Around { include: "", globals: "static int @z[4];", setup: "" };

/// How many of [`SECTIONS`] do nothing but touch plain variables, and how many never do anything wrong.
pub(super) const QUIET_SECTIONS: usize = 15;
pub(super) const HARMLESS_SECTIONS: usize = 24;

/// Critical sections, of two mutexes. Mutex 0 protects all of `z` but its last element, mutex 1 that one.
pub(super) const SECTIONS: [&str; 38] = [
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
    "pthread_mutex_lock(&@m0); if (!@z[0]) pthread_cond_wait(&@c0, &@m0); pthread_mutex_unlock(&@m0);",
    "pthread_mutex_lock(&@m1); pthread_mutex_lock(&@m0); @z[0]++; pthread_mutex_unlock(&@m0); pthread_mutex_unlock(&@m1);",
    "pthread_mutex_lock(&@m0); if (@z[0] == 2) return 0; @z[0]++; pthread_mutex_unlock(&@m0);",
    "pthread_mutex_lock(&@m0); assert(@z[1] != 2); pthread_mutex_unlock(&@m0);",
    "pthread_mutex_lock(&@m0); r = @z[0]; pthread_mutex_unlock(&@m0); assert(r != 2);",
    "pthread_mutex_lock(&@m0); @z[3]++; pthread_mutex_unlock(&@m0);",
    "@z[2]++;",
    "r = @z[1];",
    "pthread_mutex_destroy(&@m0);",
    "pthread_mutex_init(&@m1, 0);",
    "pthread_mutex_unlock(&@m0);",
    "pthread_mutex_lock(&@m0); r = malloc_usable_size(@h) > 2; pthread_mutex_unlock(&@m0);",
    "pthread_mutex_lock(&@m0); free(@h); pthread_mutex_unlock(&@m0);",
    "exit(0);",
];
