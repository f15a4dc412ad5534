//! Statements of random programs.
use super::Flavour;
use crate::program::{Guard, Ordering, Statement};
use crate::spins::SPINS;
use random::Random;

/// What surrounds a statement.
#[derive(Clone, Copy, Default)]
pub(super) struct Place {
    /// The mutexes held, as bits.
    pub(super) held: u8,
    pub(super) in_block: bool,
    pub(super) depth: u8,
    /// In a thread that a thread creates.
    pub(super) child: bool,
    /// In the first thread.
    pub(super) first: bool,
}

pub(super) fn body(random: &mut Random, flavour: &Flavour, length: u64, place: Place) -> Vec<Statement> {
    (0..length).map(|_| statement(random, flavour, place)).collect()
}

fn statement(random: &mut Random, flavour: &Flavour, place: Place) -> Statement {
    loop {
        if flavour.racy && !random.once_in(4) {
            return unordered(random, flavour);
        }
        if flavour.stores && !random.once_in(4) {
            return stored(random, flavour, place);
        }
        if !flavour.lines.is_empty() && !random.once_in(3) {
            return Statement::Line(random.pick(flavour.lines));
        }
        let family = random.below(24);
        if place.held != 0 && !random.once_in(3) {
            return locked(random, flavour, place);
        }
        match family {
            0..=5 if flavour.locks && place.depth < 2 => return section(random, flavour, place),
            6..=8 if flavour.conditions && !place.in_block => {
                let condition = random.below(2) as u8;
                return if random.once_in(3) {
                    Statement::Broadcast { condition }
                } else {
                    Statement::Signal { condition }
                };
            }
            9 if flavour.atomics && flavour.faulty && random.once_in(2) => {
                let cell = random.below(2) as u8;
                return if random.once_in(2) {
                    Statement::ReadCell { cell }
                } else {
                    Statement::WriteCell { cell, plus: 1 }
                };
            }
            9..=13 if flavour.atomics => return atomic(random, flavour),
            14 if flavour.blocks && !place.in_block => {
                let inner = Place { in_block: true, ..place };
                return Statement::Block { body: body(random, flavour, 2, inner) };
            }
            15 if flavour.heap && flavour.faulty => return heap(random),
            6 | 7 if flavour.unprotected => {
                let held = 1 + random.below(2) as u8;
                return locked(random, flavour, Place { held, ..place });
            }
            16 if flavour.faulty => return faulty(random, place),
            17 if place.depth < 2 => {
                let inner = Place { depth: place.depth + 1, ..place };
                let value = random.below(3) as i32;
                return Statement::If {
                    value,
                    then: body(random, flavour, 1, inner),
                    otherwise: if random.once_in(2) { body(random, flavour, 1, inner) } else { Vec::new() },
                };
            }
            18 => return check(random),
            19 if random.once_in(3) => return Statement::Choose,
            19 if place.depth < 2 && !place.child => {
                let block = flavour.blocks && !place.in_block && random.once_in(2);
                let inner = Place { depth: place.depth + 1, in_block: place.in_block || block, ..place };
                return Statement::Permuted { body: body(random, flavour, 2, inner), block };
            }
            20 | 21 if flavour.loops && !place.in_block && place.depth < 2 => return repeated(random, flavour, place),
            22 if flavour.children && place.child => return Statement::Peek,
            22 if flavour.children && place.first && !place.in_block && random.once_in(2) => {
                return Statement::HandOver;
            }
            22 if flavour.children && !place.in_block => {
                return Statement::Children { times: 1 + random.below(2) as u8 };
            }
            22 | 23 if flavour.pointers => return pointer(random, flavour),
            9..=15 | 18..=23 if flavour.ends && !place.in_block => {
                if place.depth < 2 && random.once_in(3) {
                    let inner = Place { depth: place.depth + 1, ..place };
                    return Statement::Cleanup { body: body(random, flavour, 1, inner) };
                }
                return Statement::Line(random.pick(if place.first { &ENDS[1..] } else { &ENDS }));
            }
            0..=8 | 20..=23 if flavour.others && (!place.in_block || place.depth < 2) => {
                let guard = place.in_block || place.depth < 2 && !random.once_in(3);
                return if guard { guarded(random, flavour, place) } else { other(random, flavour) };
            }
            _ => {}
        }
    }
}

/// A lock, or an attempt, with something protected in it. Mutex 0 protects variable 0, mutex 1 variable 1.
fn section(random: &mut Random, flavour: &Flavour, place: Place) -> Statement {
    let free: Vec<u8> = (0..2).filter(|m| place.held & 1 << m == 0).collect();
    let mutex = if free.is_empty() { 0 } else { random.pick(&free) };
    let inner = Place { held: place.held | 1 << mutex, depth: place.depth + 1, ..place };
    let length = 1 + random.below(2);
    let mut body = body(random, flavour, length, inner);
    if random.once_in(3) {
        return Statement::TrySection { mutex, body };
    }
    // Both condition variables go with mutex 0, but for some that are misused.
    let waits = flavour.conditions && !place.in_block;
    if waits && (mutex == 0 || flavour.faulty) && place.held == 0 && random.once_in(2) {
        let condition = random.below(2) as u8;
        let timed = flavour.others && random.once_in(2);
        let (again, until) = (random.once_in(2), random.below(3) as i32);
        let wait = Statement::Wait { condition, mutex, again, until, timed };
        body.insert(random.below(body.len() as u64 + 1) as usize, wait);
    }
    Statement::Section { mutex, body }
}

const fn guard(acquire: &'static str, release: &'static str, attempt: bool) -> Guard {
    Guard { acquire, release, attempt }
}

/// Acquisitions; those that protect variable 0 as mutex 0 does are not among them, so that some races are found.
static GUARDS: [Guard; 10] = [
    guard("pthread_rwlock_rdlock(&@w)", "pthread_rwlock_unlock(&@w)", false),
    guard("pthread_rwlock_wrlock(&@w)", "pthread_rwlock_unlock(&@w)", false),
    guard("pthread_rwlock_tryrdlock(&@w)", "pthread_rwlock_unlock(&@w)", true),
    guard("pthread_rwlock_timedwrlock(&@w, &soon)", "pthread_rwlock_unlock(&@w)", true),
    guard("pthread_spin_lock(&@i)", "pthread_spin_unlock(&@i)", false),
    guard("pthread_spin_trylock(&@i)", "pthread_spin_unlock(&@i)", true),
    guard("sem_wait(&@u)", "sem_post(&@u)", false),
    guard("sem_trywait(&@u)", "sem_post(&@u)", true),
    guard("pthread_mutex_timedlock(&@m0, &soon)", "pthread_mutex_unlock(&@m0)", true),
    guard("pthread_rwlock_rdlock(&@w)", "pthread_rwlock_unlock(&@w)", false),
];

/// Other calls, those that are mostly mistakes last.
pub(super) const CALLS: [&str; 12] = [
    "sem_post(&@v);",
    "sem_wait(&@v);",
    "r = sem_trywait(&@v) == 0;",
    "sem_getvalue(&@v, &r);",
    "r = sem_timedwait(&@v, &soon) == 0;",
    "pthread_barrier_wait(&@b);",
    "r = pthread_barrier_wait(&@b) != 0;",
    "pthread_once(&@o, @once); r = @g1;",
    "pthread_rwlock_unlock(&@w);",
    "pthread_rwlock_wrlock(&@w);",
    "pthread_barrier_destroy(&@b);",
    "sem_destroy(&@v);",
];

/// Messages: System V ones by type and by age, by less usual rules, with priorities or without, and streams.
pub(super) const MESSAGES: [&str; 26] = [
    "put(&@x, 0, 1, 1, 0);",
    "put(&@x, 0, 2, 1, 0);",
    "r = take(&@x, 0, 1, 0, 1, 0);",
    "put(&@x, 0, 2, 2, 0);",
    "r = take(&@x, 0, 2, 0, 2, 0);",
    "r = take(&@x, 0, 0, 0, 2, 0);",
    "r = take(&@x, 0, 0, 0, 1, 2);",
    "r = take(&@x, 0, -2, 0, 2, 0);",
    "r = take(&@x, 0, 1, 3, 1, 2);",
    "r = look(&@x, 0);",
    "__verify_queue_close(&@x, 0, 2);",
    "put(&@x, 1, 0, 1, 0);",
    "put(&@x, 1, 0, 1, 1);",
    "r = take(&@x, 1, 0, 0, 2, 0);",
    "r = take(&@x, 1, 0, 0, 2, 1);",
    "r = look(&@x, 1);",
    "put(&@x, 1, 3, 2, 2);",
    "put(&@x, 2, 0, 1, 0);",
    "put(&@x, 2, 0, 2, 0);",
    "r = take(&@x, 2, 0, 0, 1, 0);",
    "r = take(&@x, 2, 0, 0, 2, 0);",
    "r = take(&@x, 2, 0, 0, 2, 2);",
    "put(&@x, 2, 0, 1, 0);",
    "r = take(&@x, 2, 0, 0, 1, 0);",
    "__verify_queue_close(&@x, 2, 1);",
    "__verify_queue_close(&@x, 2, 0);",
];

/// System calls for futexes at both atomic variables: waiting for ever and for a time, waking one, two and all, moving
/// threads; and stores to them.
pub(super) const FUTEXES: [&str; 20] = [
    "r = (int)syscall(202, &@a0, 0, 0, 0L);",
    "r = (int)syscall(202, &@a0, 128, 0, 0L);",
    "r = (int)syscall(202, &@a0, 0, 1, 0L);",
    "r = (int)syscall(202, &@a0, 1, 1);",
    "r = (int)syscall(202, &@a0, 1, 1);",
    "r = (int)syscall(202, &@a0, 129, 2);",
    "r = (int)syscall(202, &@a0, 0, 0, &soon);",
    "r = (int)syscall(202, &@a0, 10, 9, 0L, 0L, -1);",
    "atomic_store(&@a0, 1);",
    "atomic_store_explicit(&@a0, 1, memory_order_relaxed);",
    "atomic_fetch_xor(&@a0, 1);",
    "r = (int)syscall(202, &@a1, 9, 0, 0L, 0L, -1);",
    "r = (int)syscall(202, &@a1, 1, 1);",
    "r = (int)syscall(202, &@a1, 1, 2);",
    "atomic_store(&@a1, 1);",
    "@g1 = r;",
    "r = (int)syscall(202, &@a0, 3, 1, 9L, &@a1);",
    "r = (int)syscall(202, &@a0, 3, 0, 9L, &@a1);",
    "r = (int)syscall(202, &@a0, 4, 1, 9L, &@a1, 1);",
    "r = (int)syscall(202, &@a1, 3, 0, 9L, &@a0);",
];

/// What concerns the ends of threads. The first thread does not know its handle, all others do.
const ENDS: [&str; 9] = [
    "pthread_cancel(@t[0]);",
    "pthread_cancel(pthread_self());",
    "pthread_testcancel();",
    "pthread_testcancel();",
    "pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &r);",
    "pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &r);",
    "pthread_setspecific(@y, &@a1);",
    "r = pthread_getspecific(@y) != 0;",
    "sem_wait(&@v);",
];

/// Something under a lock of another kind. The reader-writer lock protects variable 1 too, but for readers, who are
/// many.
fn guarded(random: &mut Random, flavour: &Flavour, place: Place) -> Statement {
    let guard = &GUARDS[random.below(GUARDS.len() as u64) as usize];
    let reads = guard.acquire.contains("rd");
    let mut inner = Place { depth: place.depth + 1, ..place };
    if guard.acquire.contains("rwlock") && !reads {
        inner.held |= 2;
    }
    let mut body = body(random, flavour, 1, inner);
    if reads {
        body.push(Statement::Read { variable: 1 });
    }
    Statement::Guarded { guard, body }
}

fn other(random: &mut Random, flavour: &Flavour) -> Statement {
    let calls = if flavour.faulty { &CALLS[..] } else { &CALLS[..8] };
    Statement::Line(random.pick(calls))
}

/// Something that a held mutex protects.
fn locked(random: &mut Random, flavour: &Flavour, place: Place) -> Statement {
    let variable = if place.held & 1 != 0 { 0 } else { 1 };
    match random.below(6) {
        0 | 1 => Statement::Read { variable },
        2 if flavour.heap && variable == 0 => heap(random),
        _ => Statement::Write { variable, plus: random.below(3) as i32 },
    }
}

/// A plain access to what others access too.
fn unordered(random: &mut Random, flavour: &Flavour) -> Statement {
    let (variable, plus) = (random.below(2) as u8, random.below(3) as i32);
    let member = random.below(3) as u8;
    match random.below(16) {
        0..=2 => Statement::Read { variable },
        3..=5 => Statement::Write { variable, plus },
        6 => Statement::WriteByte { byte: random.below(4) as u8, value: 1 },
        7 => Statement::WriteMember { member },
        8 => Statement::ReadMember { member },
        9 => Statement::CopyStructure,
        10 => Statement::ClearStructure,
        11 if flavour.atomics => Statement::WriteCell { cell: variable, plus },
        12 if flavour.atomics => Statement::ReadCell { cell: variable },
        13 if flavour.heap => heap(random),
        14 if flavour.heap => Statement::Look,
        13 if flavour.lending => Statement::Lend,
        14 if flavour.lending => Statement::Borrow,
        _ => Statement::Assert { not: plus },
    }
}

/// A store to an atomic variable, or a plain read of one.
fn stored(random: &mut Random, flavour: &Flavour, place: Place) -> Statement {
    let (cell, value) = (random.below(2) as u8, 1 + random.below(3) as i32);
    match random.below(16) {
        0 => Statement::StoreByte { byte: random.below(2) as u8, value: value as u8 },
        1 => Statement::Modify { cell, operation: "exchange", value, ordering: random.pick(&ALL) },
        2 => Statement::ReadCell { cell },
        3 => Statement::CopyCells,
        4 => Statement::Assert { not: value },
        5 | 6 if place.depth < 2 => {
            let inner = Place { depth: place.depth + 1, ..place };
            let mut body = body(random, flavour, 1, inner);
            body.push(if random.once_in(3) { Statement::CopyCells } else { Statement::ReadCell { cell: 1 - cell } });
            Statement::Behind { cell, value, body }
        }
        _ => Statement::Store { cell, value, ordering: random.pick(&STORES) },
    }
}

fn heap(random: &mut Random) -> Statement {
    if random.once_in(3) { Statement::Free } else { Statement::Use }
}

pub(super) const LOADS: [Ordering; 3] = ["relaxed", "acquire", "seq_cst"];
pub(super) const STORES: [Ordering; 3] = ["relaxed", "release", "seq_cst"];
pub(super) const ALL: [Ordering; 5] = ["relaxed", "acquire", "release", "acq_rel", "seq_cst"];

/// A loop that another thread may end.
fn repeated(random: &mut Random, flavour: &Flavour, place: Place) -> Statement {
    if random.once_in(2) {
        return spin(random);
    }
    let (cell, until, ordering) = (random.below(2) as u8, random.below(2) as i32, random.pick(&LOADS));
    let inner = Place { depth: place.depth + 1, ..place };
    Statement::Repeat { body: body(random, flavour, 1, inner), cell, until, ordering }
}

/// A block changes hands; a wrong order is a race.
fn pointer(random: &mut Random, flavour: &Flavour) -> Statement {
    let wrong = flavour.faulty && random.once_in(3);
    let right = |ordering| if wrong { "relaxed" } else { ordering };
    match random.below(3) {
        0 => Statement::Publish { ordering: right("release") },
        1 => Statement::Follow { ordering: right("acquire") },
        _ => Statement::Take { ordering: right("acq_rel") },
    }
}

fn atomic(random: &mut Random, flavour: &Flavour) -> Statement {
    let cell = random.below(2) as u8;
    if flavour.flags && cell == 0 {
        return match random.below(2) {
            0 => Statement::Store { cell, value: 1, ordering: random.pick(&STORES) },
            _ => Statement::Load { cell, ordering: random.pick(&LOADS) },
        };
    }
    let value = 1 + random.below(2) as i32;
    match random.below(12) {
        0..=3 => Statement::Store { cell, value, ordering: random.pick(&STORES) },
        4..=7 => Statement::Load { cell, ordering: random.pick(&LOADS) },
        8 | 9 => {
            let operation = random.pick(&["fetch_add", "fetch_or", "exchange", "fetch_sub"]);
            let ordering = random.pick(&ALL);
            match operation != "exchange" && random.once_in(2) {
                true => Statement::Update { cell, operation, value, ordering },
                false => Statement::Modify { cell, operation, value, ordering },
            }
        }
        10 => {
            let orderings = (random.pick(&ALL), random.pick(&LOADS));
            Statement::CompareExchange { cell, expected: random.below(2) as i32, new: value, orderings }
        }
        _ if random.once_in(2) => Statement::StoreByte { byte: random.below(4) as u8, value: value as u8 },
        _ => Statement::Fence { ordering: random.pick(&["acquire", "release", "seq_cst"]) },
    }
}

pub(super) fn check(random: &mut Random) -> Statement {
    let not = random.below(4) as i32;
    if random.once_in(3) { Statement::Assume { not } } else { Statement::Assert { not } }
}

/// What is wrong in most places.
fn faulty(random: &mut Random, place: Place) -> Statement {
    let mutex = random.below(2) as u8;
    match random.below(7) {
        0 if !place.in_block => Statement::Lock { mutex },
        1 if !place.in_block => Statement::Unlock { mutex },
        2 => Statement::Return,
        3 => Statement::Exit,
        4 => Statement::Read { variable: mutex },
        5 => Statement::Write { variable: mutex, plus: 1 },
        _ => Statement::Assert { not: 0 },
    }
}

/// A loop that only reads.
pub(super) fn spin(random: &mut Random) -> Statement {
    let (cell, until) = (random.below(2) as u8, random.below(2) as i32);
    Statement::Spin { cell, until, ordering: random.pick(&LOADS), shape: random.below(SPINS.len() as u64) as u8 }
}
