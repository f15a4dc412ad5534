//! Random programs about what the process has of the system: descriptors, signals, mappings.
use super::statement::{LOADS, STORES, check};
use crate::around::Around;
use crate::program::{Program, Statement};
use random::Random;

static DESCRIPTORS: Around = Around {
    include: "#include <errno.h>\n#include <poll.h>\n#include <sys/eventfd.h>\n#include <unistd.h>\n",
    globals: "static int @e0, @e1, @e2, @d[2];",
    setup: "@e0 = eventfd(0, 0); @e1 = eventfd(1, EFD_SEMAPHORE); @e2 = eventfd(0, EFD_NONBLOCK); pipe(@d);",
};

/// Counters, one that is taken from by one, and one that never waits; a pipe; and waiting for several of them.
const OF_DESCRIPTORS: [&str; 22] = [
    "eventfd_write(@e0, 1);",
    "{ eventfd_t v = 0; r = eventfd_read(@e0, &v) ? -1 : (int)v; }",
    "r = eventfd_write(@e0, 2);",
    "{ eventfd_t v = 0; r = eventfd_read(@e1, &v) ? -1 : (int)v; }",
    "eventfd_write(@e1, 2);",
    "{ eventfd_t v = 0; r = eventfd_read(@e2, &v) ? -errno : (int)v; }",
    "r = eventfd_write(@e2, 1);",
    "eventfd_write(@e0, -2ull);",
    "r = eventfd_write(@e2, -2ull) ? -errno : 2;",
    "r = (int)write(@d[1], \"a\", 1);",
    "{ char c[2] = {0}; r = (int)read(@d[0], c, 2); }",
    "{ char c = 0; r = read(@d[0], &c, 1) == 1 ? c - 'a' : -1; }",
    "r = (int)write(@d[1], \"bc\", 2);",
    "close(@d[1]);",
    "eventfd_write(@e0, 1);",
    "write(@d[1], \"a\", 1);",
    "{ eventfd_t v = 0; r = eventfd_read(@e0, &v) ? -1 : (int)v; }",
    "{ struct pollfd q = {@e0, POLLIN, 0}; r = poll(&q, 1, 0) > 0 ? q.revents : 0; }",
    "{ struct pollfd q[2] = {{@e0, POLLIN, 0}, {@d[0], POLLIN, 0}}; poll(q, 2, -1); r = q[0].revents + 2 * q[1].revents; }",
    "{ struct pollfd q = {@e2, POLLIN | POLLOUT, 0}; r = poll(&q, 1, -1) > 0 ? q.revents : 0; }",
    "{ struct pollfd q = {@d[0], POLLIN, 0}; r = poll(&q, 1, 5) > 0 ? q.revents : 0; }",
    "eventfd_write(@e2, -2ull);",
];

/// A random program with descriptors. Waiting for several makes actions of all that is done to any in its file.
pub(crate) fn descriptors(seed: u64) -> Program {
    let mut random = Random::new(seed ^ 0x6666_6666_6666_6666);
    let lines = match seed / 50 % 4 {
        0 => &OF_DESCRIPTORS[..9],
        1 => &OF_DESCRIPTORS[9..14],
        2 => &OF_DESCRIPTORS[..14],
        _ => &OF_DESCRIPTORS[14..],
    };
    of_lines(&mut random, lines, &DESCRIPTORS, Locked::Seldom, [2, 1])
}

static SIGNALS: Around = Around {
    include: "#include <signal.h>\n#include <unistd.h>\n",
    globals: "static sigset_t @one, @all, @none;\n\
        static void @handler(int number) { atomic_fetch_add(&@a1, number == SIGUSR2 ? 1 : 2); }",
    setup: "sigemptyset(&@none); sigemptyset(&@one); sigaddset(&@one, SIGUSR1); @all = @one; sigaddset(&@all, SIGTERM);\n  \
        signal(SIGUSR1, @handler); signal(SIGUSR2, @handler); signal(SIGTERM, @handler); \
        pthread_sigmask(SIG_BLOCK, &@all, 0);",
};

/// Sending, to the first thread, to the process and to itself; waiting, handlers, masks.
const OF_SIGNALS: [&str; 19] = [
    "pthread_kill(@t[0], SIGUSR1);",
    "{ int n = 0; sigwait(&@one, &n); r = n == SIGUSR1; }",
    "{ int n = 0; sigwait(&@all, &n); r = n == SIGUSR1 ? 1 : 2; }",
    "r = pthread_kill(@t[0], SIGTERM);",
    "kill(getpid(), SIGUSR1);",
    "kill(getpid(), SIGTERM);",
    "{ int n = 0; sigwait(&@all, &n); r = n == SIGUSR1 ? 1 : 2; }",
    "raise(SIGUSR1);",
    "r = raise(SIGUSR2);",
    "{ sigset_t q; sigpending(&q); r = sigismember(&q, SIGUSR1); }",
    "{ sigset_t q; pthread_sigmask(SIG_BLOCK, 0, &q); r = sigismember(&q, SIGUSR1); }",
    "r = atomic_load(&@a1);",
    "pthread_sigmask(SIG_UNBLOCK, &@one, 0);",
    "pthread_sigmask(SIG_BLOCK, &@one, 0);",
    "pthread_sigmask(SIG_SETMASK, &@all, 0);",
    "signal(SIGUSR2, SIG_IGN);",
    "pthread_kill(pthread_self(), SIGUSR1);",
    "r = sigsuspend(&@none);",
    "kill(getpid(), SIGUSR1);",
];

/// A random program with signals.
pub(crate) fn signals(seed: u64) -> Program {
    let mut random = Random::new(seed ^ 0x4444_4444_4444_4444);
    let random = &mut random;
    let sets = [&OF_SIGNALS[..7], &OF_SIGNALS[..12], &OF_SIGNALS[7..16], &OF_SIGNALS[4..], &OF_SIGNALS[15..]];
    let lines = random.pick(&sets);
    of_lines(random, lines, &SIGNALS, Locked::Seldom, [3, 1])
}

const PAGES: &str = "#include <sys/mman.h>\n#define PAGES(size, sharing) \\\n  \
    mmap(0, size, PROT_READ | PROT_WRITE, sharing | MAP_ANONYMOUS, -1, 0)\n";
static PRIVATE: Around =
    Around { include: PAGES, globals: "static char *@z;", setup: "@z = PAGES(12288, MAP_PRIVATE); @z[4096] = 1;" };
static SHARED: Around =
    Around { include: PAGES, globals: "static char *@z;", setup: "@z = PAGES(12288, MAP_SHARED); @z[4096] = 1;" };

/// Accesses to three pages, changes of their rights, giving them back; a mutex and an atomic variable there; and a page
/// that changes hands.
const OF_MAPPINGS: [&str; 26] = [
    "munmap(@z + 8192, 4096);",
    "r = @z[8192];",
    "munmap(@z, 12288);",
    "@z[0] = r + 1;",
    "r = @z[0];",
    "@z[4096] = 2;",
    "r = @z[4096];",
    "r = mprotect(@z + 4096, 4096, PROT_READ);",
    "mprotect(@z + 4096, 4096, PROT_READ | PROT_WRITE);",
    "mprotect(@z, 8192, PROT_NONE);",
    "mprotect(@z, 8192, PROT_READ | PROT_WRITE);",
    "memset(@z + 4000, 1, 200);",
    "madvise(@z + 4096, 4096, MADV_DONTNEED);",
    "madvise(@z, 8192, MADV_DONTNEED);",
    "r = memcmp(@z, @z + 4096, 8) == 0;",
    "munmap(@z + 4096, 4096);",
    "atomic_fetch_add((atomic_int *)(@z + 4096), 1);",
    "r = atomic_load((atomic_int *)(@z + 4096));",
    "pthread_mutex_lock((pthread_mutex_t *)(@z + 8192)); r = 2; pthread_mutex_unlock((pthread_mutex_t *)(@z + 8192));",
    "r = pthread_mutex_trylock((pthread_mutex_t *)(@z + 8192)) != 0;",
    "munmap(@z + 8192, 4096);",
    "munmap(@z + 4096, 8192);",
    "{ int *q = PAGES(4096, MAP_PRIVATE); *q = 3; atomic_store(&@p, q); }",
    "{ int *q = atomic_exchange(&@p, 0); if (q) { r = *q; munmap(q, 4096); } }",
    "{ int *q = atomic_load(&@p); if (q) r = *q; }",
    "{ int *q = atomic_load(&@p); if (q) mprotect(q, 4096, PROT_READ); }",
];

/// A random program with mappings.
pub(crate) fn mappings(seed: u64) -> Program {
    let mut random = Random::new(seed ^ 0x8888_8888_8888_8888);
    let random = &mut random;
    let sets = [&OF_MAPPINGS[..7], &OF_MAPPINGS[3..12], &OF_MAPPINGS[3..16], &OF_MAPPINGS[12..22], &OF_MAPPINGS[20..]];
    let lines = random.pick(&sets);
    let around = if random.once_in(3) { &SHARED } else { &PRIVATE };
    let locked = if random.once_in(4) { Locked::Seldom } else { Locked::Mostly };
    of_lines(random, lines, around, locked, [3, 2])
}

/// Whether lines stand in sections of mutex 0.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Locked {
    Seldom,
    Mostly,
}

/// A random program most statements of which are of these lines; of two or three threads, none of which has more
/// statements than that. (Each is several actions as a rule.)
fn of_lines(
    random: &mut Random,
    lines: &[&'static str],
    around: &'static Around,
    locked: Locked,
    longest: [u64; 2],
) -> Program {
    let threads = 2 + u64::from(random.once_in(4));
    let longest = longest[threads as usize - 2];
    let thread = |random: &mut Random, first| {
        (0..1 + random.below(longest)).map(|_| statement(random, lines, locked, first)).collect()
    };
    let threads: Vec<Vec<Statement>> = (0..threads).map(|number| thread(random, number == 0)).collect();
    let last = random.once_in(2).then(|| (random.pick(&["@a0", "@a1"]), 1 + random.below(3) as i32));
    Program {
        threads,
        child: Vec::new(),
        joins: !random.once_in(8),
        last,
        large: random.once_in(8),
        around,
        alike: None,
    }
}

fn statement(random: &mut Random, lines: &[&'static str], locked: Locked, first: bool) -> Statement {
    match random.below(12) {
        0 => check(random),
        1 | 2 => {
            let (value, then) = (random.below(3) as i32, vec![piece(random, lines, locked, first)]);
            Statement::If { value, then, otherwise: Vec::new() }
        }
        3 if random.once_in(2) => Statement::Store { cell: 0, value: 1, ordering: random.pick(&STORES) },
        3 => Statement::Load { cell: 0, ordering: random.pick(&LOADS) },
        _ => piece(random, lines, locked, first),
    }
}

/// A line, or some in a section.
fn piece(random: &mut Random, lines: &[&'static str], locked: Locked, first: bool) -> Statement {
    if random.once_in(8) == (locked == Locked::Seldom) {
        let body = (0..1 + random.below(2)).map(|_| line(random, lines, first)).collect();
        return Statement::Section { mutex: 0, body };
    }
    line(random, lines, first)
}

/// The first thread does not know its handle, all others do.
fn line(random: &mut Random, lines: &[&'static str], first: bool) -> Statement {
    loop {
        let line = random.pick(lines);
        if !(first && line.contains("@t[0]")) {
            return Statement::Line(line);
        }
    }
}
