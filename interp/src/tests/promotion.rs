//! Programs that race, explored with promotion.
use super::build::site;
use super::concurrent::{blocks, counter, parallel};
use super::{Builder, Found, c, machine_with, s};
use crate::verdict::fault::Kind;
use crate::{Checks, Interference, Options};
use frontend::ir::{Bin, Inst, IntPredicate, Pc, Slot};
use por::{Engine, Outcome};

/// Explores all schedules, starting again as often as necessary: what is found, and how many places are promoted.
fn explore(build: &impl Fn() -> Builder, engine: Engine, interference: Interference) -> (Found, u64) {
    let checks = Checks::supported().without(Kind::DataRace);
    let pristine = || machine_with(build(), Options { checks, interference, ..Options::default() });
    let mut machine = pristine();
    loop {
        let mut found = Found::default();
        let options = por::Options { engine, alternatives: por::Alternatives::Optimal, ..por::Options::default() };
        let (outcome, statistics) = crate::engines::explore(&mut machine, &options, &mut found);
        if outcome != Outcome::Restart {
            assert_eq!(outcome, Outcome::Complete);
            found.executions = statistics.executions;
            found.finals.sort_unstable();
            found.finals.dedup();
            return (found, machine.promoted());
        }
        let mut next = pristine();
        next.learn_from(&machine);
        machine = next;
    }
}

/// What promotion finds, compared with what is found if every access is visible.
fn compared(build: impl Fn() -> Builder) -> (Found, u64) {
    let (found, places) = explore(&build, Engine::Unfolding, Interference::Auto);
    for (engine, interference) in [(Engine::Naive, Interference::Auto), (Engine::Naive, Interference::All)] {
        let (other, _) = explore(&build, engine, interference);
        assert_eq!(found.finals, other.finals);
    }
    assert!(found.faults.is_empty() && found.unknown.is_empty(), "{found:?}");
    (found, places)
}

#[test]
fn an_update_may_be_lost() {
    // Both reads first and then either write, or one thread after the other: two sums.
    let (found, places) = compared(|| counter(2, false));
    assert_eq!((found.executions, found.finals.len(), places), (4, 2, 1));
}

#[test]
fn what_is_locked_is_not_promoted() {
    // (With three threads there are very many interleavings: for those who have time.)
    let is_full = std::env::var_os("VERIFY_TESTS").is_some_and(|tests| tests == "full");
    let (threads, orders) = if is_full { (3, 6) } else { (2, 2) };
    let (found, places) = compared(|| counter(threads, true));
    assert_eq!((found.executions, found.finals.len(), places), (orders, 1, 0));
}

#[test]
fn blocks_stay_whole() {
    let (found, places) = compared(|| blocks(true));
    assert_eq!((found.executions, found.finals.len(), places), (2, 1, 0));
}

#[test]
fn parts_of_a_value_come_from_different_threads() {
    // Thread 1 writes the bytes in the middle, thread 2 all; thread 1 then keeps what it sees.
    let build = || {
        let mut builder = Builder::new();
        let (shared, seen) = (builder.global("shared", 8), builder.global("seen", 8));
        let code = vec![
            Inst::BranchICmp {
                predicate: IntPredicate::Eq,
                width: 64,
                a: s(0),
                b: c(2),
                then: Pc(5),
                otherwise: Pc(1),
            },
            Inst::Store32 { address: shared, offset: 2, value: c(7) },
            Inst::Load64 { dst: Slot(1), address: shared, offset: 0 },
            Inst::Store64 { address: seen, offset: 0, value: s(1) },
            Inst::Return { n: 1, value: c(0) },
            Inst::Store64 { address: shared, offset: 0, value: c(3) },
            Inst::Return { n: 1, value: c(0) },
        ];
        let worker = builder.function("worker", 1, 2, code, vec![]);
        parallel(builder, worker, 2)
    };
    // The write of thread 2 comes before, between or after the accesses of thread 1.
    let (found, _) = compared(build);
    assert_eq!((found.executions, found.finals.len()), (3, 3));
}

#[test]
fn undefined_bytes_pass_through_promoted_memory() {
    let build = || {
        let mut builder = Builder::new();
        let shared = builder.global("shared", 8);
        // Each thread stores four bytes of which only the first was written, and uses only that of what it loads.
        let code = vec![
            Inst::Alloca { info: 0, dst: Slot(1), count: c(1) },
            Inst::Store8 { address: s(1), offset: 0, value: s(0) },
            Inst::Load32 { dst: Slot(2), address: s(1), offset: 0 },
            Inst::Store32 { address: shared, offset: 0, value: s(2) },
            Inst::Load32 { dst: Slot(2), address: shared, offset: 0 },
            Inst::Trunc { width: 8, dst: Slot(2), a: s(2) },
            Inst::BranchICmp {
                predicate: IntPredicate::Eq,
                width: 64,
                a: s(2),
                b: s(0),
                then: Pc(7),
                otherwise: Pc(8),
            },
            Inst::Return { n: 1, value: c(1) },
            Inst::Return { n: 1, value: c(2) },
        ];
        let worker = builder.function("worker", 1, 3, code, vec![]);
        parallel(builder, worker, 2)
    };
    // W1 R1 beside W2 R2: which write is last, and whether the other thread has read before that.
    let (found, places) = compared(build);
    assert_eq!((found.executions, places), (4, 1));
}

#[test]
fn a_loop_on_a_plain_flag_has_actions() {
    let build = || {
        let mut builder = Builder::new();
        let flag = builder.global("flag", 4);
        let code = vec![
            Inst::Load32 { dst: Slot(1), address: flag, offset: 0 },
            Inst::Add(Bin { width: 32, flags: 0, dst: Slot(1), a: s(1), b: c(0) }),
            Inst::BranchICmp {
                predicate: IntPredicate::Eq,
                width: 64,
                a: s(1),
                b: c(0),
                then: Pc(0),
                otherwise: Pc(3),
            },
            Inst::Return { n: 1, value: c(0) },
        ];
        let worker = builder.function("worker", 1, 2, code, vec![site(&[], None)]);
        parallel(builder, worker, 1)
    };
    let checks = Checks::supported().without(Kind::DataRace);
    let mut machine = machine_with(build(), Options { checks, ..Options::default() });
    let mut found = Found::default();
    let (outcome, _) = crate::engines::explore(&mut machine, &por::Options::default(), &mut found);
    assert_eq!((outcome, machine.promoted()), (Outcome::Restart, 1));
    // With the location promoted it goes round and round, until it is stopped.
    let awaits = Some(crate::options::Awaits::Run);
    let mut next = machine_with(build(), Options { checks, awaits, ..Options::default() });
    next.learn_from(&machine);
    let options = por::Options { max_depth: 100, ..por::Options::default() };
    let (outcome, _) = crate::engines::explore(&mut next, &options, &mut found);
    assert_eq!(outcome, Outcome::DepthLimit);
    assert!(found.faults.is_empty() && found.unknown.is_empty(), "{found:?}");
}
