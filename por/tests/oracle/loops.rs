//! Cutoffs against an explicit search of the state space, on random programs with loops.
use crate::generate;
use crate::toy::{Fault, Program, Toy};
use por::{
    Alternatives, Ending, Flow, Move, Observer, Options, Order, Outcome, Replayed, System, ThreadId, current_variants,
};
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU64, Ordering};

/// What can be reached: faults, and states in which nobody can move.
#[derive(Default, PartialEq, Eq, Debug)]
struct Reached {
    faults: BTreeSet<Fault>,
    ends: BTreeSet<u128>,
}

/// Visits every state once. `None` if there are more than `limit`.
fn search(program: &Program, limit: usize) -> Option<Reached> {
    let mut toy = Toy::new(program);
    let mut reached = Reached::default();
    reached.faults.extend(toy.start().fault);
    let mut known = BTreeSet::from([toy.key()]);
    let mut path: Vec<Vec<Move>> = vec![moves(&toy, &mut reached)];
    while let Some(open) = path.last_mut() {
        let Some(step) = open.pop() else {
            path.pop();
            if !path.is_empty() {
                toy.undo();
            }
            continue;
        };
        toy.mark();
        reached.faults.extend(toy.execute(step.thread, step.label).fault);
        reached.faults.extend(livelock(&mut toy));
        if known.insert(toy.key()) {
            if known.len() > limit {
                return None;
            }
            let next = moves(&toy, &mut reached);
            path.push(next);
        } else {
            toy.undo();
        }
    }
    Some(reached)
}

/// The livelock of a state: in no state that can be reached from it does anything differ but where threads stand that
/// will go on in one for ever.
fn livelock(toy: &mut Toy) -> Option<Fault> {
    let possible = |toy: &Toy| -> Vec<Move> {
        let threads = (0..toy.threads()).map(ThreadId);
        let of = |thread: ThreadId| {
            let mut variants = Vec::new();
            current_variants(toy, thread, &mut variants);
            variants.into_iter().map(move |v| Move { thread, label: v.label })
        };
        threads.flat_map(of).collect()
    };
    let movers = |moves: &[Move]| moves.iter().map(|step| step.thread).collect::<BTreeSet<ThreadId>>();
    let (shared, moving) = (toy.shared_and_ended(), possible(toy));
    let mut spinning = movers(&moving);
    let mut known = BTreeSet::from([toy.key()]);
    let mut path = vec![moving.clone()];
    let mut is_one = !moving.is_empty();
    while let Some(open) = path.last_mut() {
        match open.pop() {
            Some(step) => {
                toy.mark();
                let fault = toy.execute(step.thread, step.label).fault;
                is_one &= fault.is_none() && toy.shared_and_ended() == shared;
                let next = if is_one && known.insert(toy.key()) { Some(possible(toy)) } else { None };
                if let Some(next) = &next {
                    spinning = &spinning & &movers(next);
                }
                path.push(next.unwrap_or_default());
            }
            None => {
                path.pop();
                if !path.is_empty() {
                    toy.undo();
                }
            }
        }
    }
    let threads: Vec<ThreadId> = spinning.into_iter().collect();
    if is_one { toy.stuck(&threads) } else { None }
}

/// What can happen next; the end of an execution is noted.
fn moves(toy: &Toy, reached: &mut Reached) -> Vec<Move> {
    let mut all = Vec::new();
    for thread in (0..toy.threads()).map(ThreadId) {
        let mut variants = Vec::new();
        current_variants(toy, thread, &mut variants);
        all.extend(variants.iter().map(|v| Move { thread, label: v.label }));
    }
    if all.is_empty() {
        reached.faults.extend(toy.ending().1);
        reached.ends.insert(toy.key());
    }
    all
}

#[derive(Default)]
struct Seen {
    reached: Reached,
    schedules: Vec<(Fault, Vec<Move>)>,
}

impl Observer<Toy> for Seen {
    fn execution(&mut self, system: &Toy, ending: Ending, _: &[Move]) -> Flow {
        if ending != Ending::Cutoff {
            self.reached.ends.insert(system.key());
        }
        Flow::Continue
    }

    fn violation(&mut self, fault: Fault, schedule: Vec<Move>) -> Flow {
        if self.reached.faults.insert(fault.clone()) {
            self.schedules.push((fault, schedule));
        }
        Flow::Continue
    }

    fn unknown(&mut self, reason: String) -> Flow {
        panic!("unexpected: {reason}");
    }
}

/// All ways of exploring with cutoffs, and whether some of them are kept in configurations.
fn ways() -> impl Iterator<Item = (Options, bool)> {
    let all = [
        (Order::Erv, Alternatives::Optimal, 1 << 16, None, false),
        (Order::Erv, Alternatives::Partial(1), 1 << 16, None, true),
        (Order::Erv, Alternatives::Partial(2), 0, None, false),
        (Order::Erv, Alternatives::Optimal, 0, None, true),
        (Order::Size, Alternatives::Optimal, 1 << 16, None, true),
        (Order::Size, Alternatives::Partial(1), 0, None, false),
        // States are forgotten again and again.
        (Order::Erv, Alternatives::Optimal, 1 << 16, Some(0), true),
        (Order::Erv, Alternatives::Partial(1), 0, Some(0), false),
        // At first only normal forms are.
        (Order::Erv, Alternatives::Optimal, 1 << 16, Some(1 << 16), false),
    ];
    all.into_iter().map(|(order, alternatives, cache, memory, keep_some)| {
        // Who forgets states may explore the same for a long time.
        let max_executions = Some(if memory.is_some() { 200 } else { 20_000 });
        let cutoffs = Some(order);
        let options = Options { alternatives, cache, memory, cutoffs, max_executions, ..Options::default() };
        (Options { max_depth: 10_000, ..options }, keep_some)
    })
}

/// Compares every way with the search, and fingerprints with states if asked to. `None` if the program is too large.
fn check(program: &Program, limit: usize, verify_states: Option<u64>) -> Option<Result<u64, String>> {
    let expected = search(program, limit)?;
    let mut compared = 0;
    for (options, keep_some) in ways() {
        let mut seen = Seen::default();
        let mut toy = Toy::new(program);
        toy.keep_some = keep_some;
        let options = Options { verify_states, ..options };
        let (outcome, statistics) = por::explore(&mut toy, &options, &mut seen);
        let error = |what: String| Some(Err(format!("{options:?}: {what}")));
        if outcome == Outcome::ExecutionLimit {
            continue;
        }
        if outcome != Outcome::Complete {
            return error(format!("{outcome:?}"));
        }
        compared += 1;
        if seen.reached != expected {
            return error(format!("{:?} instead of {expected:?}", seen.reached));
        }
        if options.alternatives == Alternatives::Optimal && statistics.blocked != 0 {
            return error(format!("{} executions blocked", statistics.blocked));
        }
        for (fault, schedule) in &seen.schedules {
            let replayed = por::replay(&mut Toy::new(program), schedule, |_, _| {}, |_, _| {});
            let Replayed::Finished(faults) = replayed else {
                return error(format!("the schedule of {fault:?} cannot be executed"));
            };
            if !faults.iter().any(|(_, f)| f == fault) {
                return error(format!("the schedule of {fault:?} does not show it"));
            }
        }
    }
    Some(Ok(compared))
}

#[test]
fn cutoffs_lose_nothing() {
    let programs = crate::setting("POR_LOOPS", 10_000);
    let seed = crate::setting("POR_SEED", 1) << 32;
    let limit = crate::setting("POR_STATES", 1000) as usize;
    let (next, compared, ways) = (AtomicU64::new(0), AtomicU64::new(0), AtomicU64::new(0));
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                while compared.load(Ordering::Relaxed) < programs {
                    let seed = seed + next.fetch_add(1, Ordering::Relaxed);
                    let program = generate::looping(seed);
                    // That takes longer than all the rest.
                    let verify_states = seed.is_multiple_of(8).then_some(u64::MAX);
                    match check(&program, limit, verify_states) {
                        None => {}
                        Some(Ok(n)) => {
                            compared.fetch_add(1, Ordering::Relaxed);
                            ways.fetch_add(n, Ordering::Relaxed);
                        }
                        Some(Err(error)) => {
                            let fails = |p: &Program| matches!(check(p, limit, verify_states), Some(Err(_)));
                            let small = generate::shrink(program, fails);
                            let error = check(&small, limit, verify_states).and_then(Result::err).unwrap_or(error);
                            panic!("seed {seed}: {error}\n{small:?}");
                        }
                    }
                }
            });
        }
    });
    // Few are too large to be explored without an order that is total.
    let (compared, ways) = (compared.into_inner(), ways.into_inner());
    assert!(ways >= 5 * compared, "{ways} comparisons of {compared} programs");
}

/// Explores, with a check of fingerprints, a program whose second thread chooses a value and looks at it later.
fn check_fingerprints(forgotten: Option<usize>) {
    use crate::toy::Statement::{Assert, Choose, Create, Lock, Unlock};
    let chooses = vec![Choose(2, 3), Lock(0), Unlock(0), Assert(3, 1)];
    let program = Program { threads: vec![vec![Create(1)], chooses] };
    let mut toy = Toy::new(&program);
    toy.forgotten = forgotten;
    let options = Options { cutoffs: Some(Order::Erv), verify_states: Some(u64::MAX), ..Options::default() };
    let mut seen = Seen::default();
    let (outcome, _) = por::explore(&mut toy, &options, &mut seen);
    assert_eq!((outcome, seen.reached.faults.len()), (Outcome::Complete, 1));
}

#[test]
fn fingerprints_that_lack_nothing_pass() {
    check_fingerprints(None);
}

#[test]
#[should_panic(expected = "stands for two states")]
fn a_fingerprint_that_lacks_something_is_found_out() {
    check_fingerprints(Some(3));
}
