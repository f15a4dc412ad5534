//! Programs of several threads, explored by both engines.
use super::build::site;
use super::{Builder, Found, c, explore, s};
use crate::verdict::fault::Kind;
use frontend::ir::{Bin, Constant, FuncId, Inst, IntPredicate, Operand, Ordering, Pc, RmwOp, Slot};
use por::Engine;

/// A program whose main creates `threads` threads that run the first function, joins them and returns 0.
pub(crate) fn parallel(mut builder: Builder, worker: FuncId, threads: u32) -> Builder {
    let (create, join) = (builder.declare("create"), builder.declare("join"));
    let handles = builder.global("handles", 8 * u64::from(threads));
    let routine = builder.constant(Constant::Function(worker, 0));
    let (mut code, mut calls) = (Vec::new(), Vec::new());
    for i in 0..threads {
        code.push(Inst::AddressOffset { dst: Slot(0), base: handles, offset: 8 * i64::from(i) });
        code.push(Inst::Call { site: calls.len() as u32, callee: create });
        calls.push(site(&[routine, c(i + 1), s(0)], None));
    }
    for i in 0..threads {
        code.push(Inst::Load64 { dst: Slot(0), address: handles, offset: 8 * i as i32 });
        code.push(Inst::Call { site: calls.len() as u32, callee: join });
        calls.push(site(&[s(0), c(0)], None));
    }
    code.push(Inst::Return { n: 1, value: c(0) });
    builder.function("main", 0, 1, code, calls);
    builder
}

fn increment(address: Operand) -> Vec<Inst> {
    vec![
        Inst::Load32 { dst: Slot(1), address, offset: 0 },
        Inst::Add(Bin { width: 32, flags: 0, dst: Slot(1), a: s(1), b: c(1) }),
        Inst::Store32 { address, offset: 0, value: s(1) },
    ]
}

/// A worker that increments a counter under a lock, or without.
pub(crate) fn counter(threads: u32, locked: bool) -> Builder {
    let mut builder = Builder::new();
    let (mutex, count) = (builder.global("m", 40), builder.global("count", 4));
    let (lock, unlock) = (builder.declare("lock"), builder.declare("unlock"));
    let mut code = increment(count);
    if locked {
        code.insert(0, Inst::Call { site: 0, callee: lock });
        code.push(Inst::Call { site: 1, callee: unlock });
    }
    code.push(Inst::Return { n: 1, value: c(0) });
    let worker = builder.function("worker", 1, 2, code, vec![site(&[mutex], None), site(&[mutex], None)]);
    parallel(builder, worker, threads)
}

fn both(build: impl Fn() -> Builder) -> (Found, Found) {
    let (unfolding, naive) = (explore(build(), Engine::Unfolding), explore(build(), Engine::Naive));
    assert_eq!(unfolding.finals, naive.finals);
    assert_eq!(unfolding.faults, naive.faults);
    assert_eq!(unfolding.unknown, naive.unknown);
    (unfolding, naive)
}

#[test]
fn critical_sections_come_in_every_order() {
    for (threads, orders) in [(1, 1), (2, 2), (3, 6)] {
        let (found, _) = both(|| counter(threads, true));
        assert_eq!(found.executions, orders);
        assert!(found.faults.is_empty() && found.unknown.is_empty(), "{found:?}");
        assert_eq!(found.finals.len(), 1);
    }
}

#[test]
fn unprotected_counters_race() {
    let (found, _) = both(|| counter(2, false));
    assert!(!found.faults.is_empty());
    assert!(found.faults.iter().all(|f| f.0 == Kind::DataRace), "{found:?}");
}

#[test]
fn locks_in_opposite_orders_deadlock() {
    let build = || {
        let mut builder = Builder::new();
        let locks = builder.global("locks", 80);
        let (lock, unlock) = (builder.declare("lock"), builder.declare("unlock"));
        // Thread 1 locks 0 then 40, thread 2 locks 40 then 0: first = (argument - 1) * 40, second = 40 - first.
        let forty = builder.constant(Constant::Bits(40));
        let wide = |dst, a, b| Bin { width: 64, flags: 0, dst: Slot(dst), a, b };
        let code = vec![
            Inst::Sub(wide(1, s(0), c(1))),
            Inst::Mul(wide(1, s(1), forty)),
            Inst::Sub(wide(2, forty, s(1))),
            Inst::Add(wide(1, s(1), locks)),
            Inst::Add(wide(2, s(2), locks)),
            Inst::Call { site: 0, callee: lock },
            Inst::Call { site: 1, callee: lock },
            Inst::Call { site: 1, callee: unlock },
            Inst::Call { site: 0, callee: unlock },
            Inst::Return { n: 1, value: c(0) },
        ];
        let worker = builder.function("worker", 1, 3, code, vec![site(&[s(1)], None), site(&[s(2)], None)]);
        parallel(builder, worker, 2)
    };
    let (found, _) = both(build);
    assert_eq!(found.executions, 3);
    assert_eq!(found.faults.len(), 1, "{found:?}");
    let (kind, message) = &found.faults[0];
    assert_eq!(*kind, Kind::Deadlock);
    assert!(message.contains("thread 1 (`worker`) waits for mutex `locks` + 40, held by thread 2"), "{message}");
}

#[test]
fn atomic_increments_are_counted_once_per_order() {
    let build = || {
        let mut builder = Builder::new();
        let count = builder.global("count", 4);
        let code = vec![
            Inst::AtomicRmw {
                op: RmwOp::Add,
                size: 4,
                ordering: Ordering::Relaxed,
                unused: false,
                dst: Slot(1),
                address: count,
                value: c(1),
            },
            Inst::Return { n: 1, value: s(1) },
        ];
        let worker = builder.function("worker", 1, 2, code, vec![]);
        parallel(builder, worker, 3)
    };
    let (found, _) = both(build);
    assert_eq!(found.executions, 6);
    assert!(found.faults.is_empty() && found.unknown.is_empty(), "{found:?}");
}

/// Threads 1 and 2 wait, thread 3 signals once: one of them is left over in every schedule.
pub(crate) fn one_signal() -> Builder {
    let mut builder = Builder::new();
    let (mutex, condition) = (builder.global("m", 40), builder.global("cv", 48));
    let [lock, unlock, wait, signal] = ["lock", "unlock", "wait", "signal"].map(|name| builder.declare(name));
    // Threads 1 and 2 wait, thread 3 signals once: one of them is left over in every schedule.
    let code = vec![
        Inst::BranchICmp { predicate: IntPredicate::Eq, width: 64, a: s(0), b: c(3), then: Pc(5), otherwise: Pc(1) },
        Inst::Call { site: 0, callee: lock },
        Inst::Call { site: 1, callee: wait },
        Inst::Call { site: 0, callee: unlock },
        Inst::Return { n: 1, value: c(0) },
        Inst::Call { site: 2, callee: signal },
        Inst::Return { n: 1, value: c(0) },
    ];
    let calls = vec![site(&[mutex], None), site(&[condition, mutex], None), site(&[condition], None)];
    let worker = builder.function("worker", 1, 1, code, calls);
    parallel(builder, worker, 3)
}

#[test]
fn one_signal_wakes_either_waiter() {
    let (found, _) = both(one_signal);
    assert!(found.faults.iter().all(|f| f.0 == Kind::Deadlock), "{found:?}");
    let left = |thread: u32| {
        found.faults.iter().any(|f| {
            f.1.contains(&format!("thread {thread} (`worker`) waits to be woken on condition variable `cv`"))
                && f.1.matches("waits to be woken").count() == 1
        })
    };
    assert!(left(1) && left(2), "{found:?}");
}

/// Two threads increment a counter, in an atomic block or not.
pub(crate) fn blocks(protected: bool) -> Builder {
    let mut builder = Builder::new();
    let count = builder.global("count", 4);
    let (begin, end) = (builder.declare("__VERIFIER_atomic_begin"), builder.declare("__VERIFIER_atomic_end"));
    let mut code = increment(count);
    if protected {
        code.insert(0, Inst::Call { site: 0, callee: begin });
        code.push(Inst::Call { site: 0, callee: end });
    }
    code.push(Inst::Return { n: 1, value: c(0) });
    let worker = builder.function("worker", 1, 2, code, vec![site(&[], None)]);
    parallel(builder, worker, 2)
}

#[test]
fn atomic_blocks_are_not_interrupted() {
    let (found, _) = both(|| blocks(true));
    assert_eq!(found.executions, 2);
    assert!(found.faults.is_empty() && found.unknown.is_empty(), "{found:?}");
    assert_eq!(found.finals.len(), 1);
    let (found, _) = both(|| blocks(false));
    assert_eq!(found.faults[0].0, Kind::DataRace);
}

/// Two threads call a function that locks, returns, and hands on a value of which half was never written.
pub(crate) fn undefined_beside_locks() -> Builder {
    let mut builder = Builder::new();
    let (mutex, global) = (builder.global("m", 40), builder.global("g", 8));
    let (lock, unlock) = (builder.declare("lock"), builder.declare("unlock"));
    let inner = vec![
        Inst::Alloca { info: 0, dst: Slot(1), count: c(1) },
        Inst::Store32 { address: s(1), offset: 0, value: s(0) },
        Inst::Load8 { dst: Slot(2), address: s(1), offset: 4 },
        Inst::And(Bin { width: 8, flags: 0, dst: Slot(2), a: s(2), b: c(6) }),
        Inst::Call { site: 0, callee: lock },
        Inst::Store8 { address: s(1), offset: 4, value: s(2) },
        Inst::Load64 { dst: Slot(2), address: s(1), offset: 0 },
        Inst::Store64 { address: global, offset: 0, value: s(2) },
        Inst::Return { n: 1, value: s(2) },
    ];
    let inner = builder.function("inner", 1, 3, inner, vec![site(&[mutex], None)]);
    let code = vec![
        Inst::Call { site: 0, callee: inner },
        Inst::Call { site: 1, callee: unlock },
        Inst::Trunc { width: 32, dst: Slot(1), a: s(1) },
        Inst::Return { n: 1, value: s(1) },
    ];
    let worker = builder.function("worker", 1, 2, code, vec![site(&[s(0)], Some(1)), site(&[mutex], None)]);
    parallel(builder, worker, 2)
}

#[test]
fn a_block_ends_with_its_thread() {
    let build = || {
        let mut builder = Builder::new();
        let count = builder.global("count", 4);
        let (begin, exit) = (builder.declare("__VERIFIER_atomic_begin"), builder.declare("exit_thread"));
        let mut code = increment(count);
        code.insert(0, Inst::Call { site: 0, callee: begin });
        code.push(Inst::Call { site: 1, callee: exit });
        code.push(Inst::Unreachable);
        let worker = builder.function("worker", 1, 2, code, vec![site(&[], None), site(&[c(0)], None)]);
        parallel(builder, worker, 2)
    };
    let (found, _) = both(build);
    assert!(found.faults.is_empty() && found.unknown.is_empty(), "{found:?}");
    assert_eq!(found.finals.len(), 1);
}

#[test]
fn undefined_values_may_pass_through_calls() {
    let (found, _) = both(undefined_beside_locks);
    assert!(found.faults.is_empty() && found.unknown.is_empty(), "{found:?}");
    assert_eq!((found.executions, found.finals.len()), (2, 2));
}
