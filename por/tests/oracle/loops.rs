//! Cutoffs against an explicit search of the state space, on random programs with loops.
use crate::campaign::{self, programs, setting};
use crate::program::Program;
use crate::search::{Reached, search, search_by_input, shortest};
use crate::toy::{Fault, Toy};
use crate::{generate, judge};
use por::{
    Alternatives, Ending, Engine, Flow, Listener, Move, Options, Order, Outcome, Replayed, StateBits, Statistics,
};
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU64, Ordering};

#[derive(Default)]
struct Seen {
    reached: Reached,
    schedules: Vec<(Fault, Vec<Move>)>,
}

impl Listener<Toy> for Seen {
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

/// The usual [`Options::period`].
const PERIOD: u64 = 20_000;

/// All ways of exploring what never ends, and whether some of them are kept in configurations.
fn ways() -> impl Iterator<Item = (Options, bool)> {
    let all = [
        // Small configurations first as soon as possible, never, and as it is usual.
        (Order::Erv, Alternatives::Optimal, 1 << 16, None, 0, false),
        (Order::Erv, Alternatives::Optimal, 1 << 16, None, u64::MAX, false),
        (Order::Erv, Alternatives::Partial(1), 0, None, u64::MAX, true),
        (Order::Size, Alternatives::Partial(2), 16, None, u64::MAX, false),
        (Order::Erv, Alternatives::Within(3), 1 << 16, None, 16, true),
        (Order::Erv, Alternatives::Partial(1), 0, None, 0, true),
        (Order::Erv, Alternatives::Partial(2), 0, None, 4, false),
        (Order::Erv, Alternatives::Optimal, 0, None, 1, true),
        (Order::Size, Alternatives::Optimal, 1 << 16, None, 0, true),
        (Order::Size, Alternatives::Partial(1), 0, None, 16, false),
        // States are forgotten again and again.
        (Order::Erv, Alternatives::Optimal, 1 << 16, Some(0), 0, true),
        (Order::Erv, Alternatives::Partial(1), 0, Some(0), 16, false),
        (Order::Erv, Alternatives::Optimal, 0, Some(0), u64::MAX, true),
        // At first only normal forms are.
        (Order::Erv, Alternatives::Optimal, 1 << 16, Some(1 << 16), 4, false),
    ];
    let cutoffs = all.into_iter().map(|(order, alternatives, cache, memory, late, keep_some)| {
        // Who forgets states may explore the same for a long time.
        let max_executions = Some(if memory.is_some() { 200 } else { 20_000 });
        let cutoffs = Some(order);
        // A walk in depth at one go rests soon, and often.
        let period = if late == u64::MAX { 6 } else { PERIOD };
        let options =
            Options { alternatives, cache, memory, cutoffs, late, period, max_executions, ..Options::default() };
        (Options { max_depth: 10_000, ..options }, keep_some)
    });
    cutoffs.chain(states().map(|options| (options, false)))
}

/// Every state once: all actions between them, and those of threads that do not sleep; in one pass, in several, in
/// breadth. Or those states that persistent sets leave.
fn states() -> impl Iterator<Item = Options> {
    let states = || Options { engine: Engine::States, persistent_sets: false, ..Options::default() };
    [false, true].into_iter().flat_map(move |sleep_sets| {
        [
            Options { sleep_sets, ..states() },
            Options { sleep_sets, short_ways: 2, ..states() },
            Options { sleep_sets, shortest: true, ..states() },
            // (So few states are told apart by so many bits.)
            Options { sleep_sets, state_bits: StateBits::Half, ..states() },
            Options { sleep_sets, persistent_sets: true, ..states() },
            Options { sleep_sets, persistent_sets: true, short_ways: 2, ..states() },
        ]
    })
}

/// The number of states that are visited, if all are to be: otherwise there may be fewer.
fn visited(options: &Options, statistics: &Statistics, all: usize) -> usize {
    let states = statistics.states as usize;
    if options.persistent_sets && states <= all { all } else { states }
}

/// Compares every way with the search, and fingerprints with states if asked to: how many were compared, and how many
/// states they did not look up. `None` if the program is too large.
fn check(program: &Program, limit: usize, verify_states: Option<u64>) -> Option<Result<(u64, u64), String>> {
    let expected = search(program, limit)?;
    let (mut compared, mut not_looked_up) = (0, 0);
    for (options, keep_some) in ways() {
        let mut seen = Seen::default();
        let mut toy = Toy::without_classes(program);
        toy.keep_some = keep_some;
        let options = Options { verify_states, ..options };
        let (outcome, statistics) = por::explore(&mut toy, &options, &mut seen);
        let error = |what: String| Some(Err(format!("{options:?}: {what}")));
        // An order that is not total leaves many executions. Executions get longer and longer, too: all that is known
        // of the states of one may be forgotten while it lasts.
        let many = outcome == Outcome::ExecutionLimit && options.cutoffs == Some(Order::Size);
        if many || options.memory.is_some() && matches!(outcome, Outcome::ExecutionLimit | Outcome::DepthLimit) {
            continue;
        }
        if outcome != Outcome::Complete {
            return error(format!("{outcome:?}"));
        }
        compared += 1;
        not_looked_up += statistics.work.not_looked_up;
        seen.reached.states = match options.engine {
            Engine::States => visited(&options, &statistics, expected.states),
            _ => expected.states,
        };
        if !expected.is_shown_by(&seen.reached) {
            return error(format!("{:?} instead of {expected:?}", seen.reached));
        }
        if options.alternatives == Alternatives::Optimal && statistics.blocked != 0 {
            return error(format!("{} executions blocked", statistics.blocked));
        }
        if let Err(what) = shows(program, &seen.schedules) {
            return error(what);
        }
    }
    Some(Ok((compared, not_looked_up)))
}

/// Whether each schedule shows its fault.
fn shows(program: &Program, schedules: &[(Fault, Vec<Move>)]) -> Result<(), String> {
    for (fault, schedule) in schedules {
        let replayed = por::replay(&mut Toy::without_classes(program), schedule, |_, _| {}, |_, _| {});
        let Replayed::Finished(faults) = replayed else {
            return Err(format!("the schedule of {fault:?} cannot be executed"));
        };
        if !faults.iter().any(|(_, f)| f == fault) {
            return Err(format!("the schedule of {fault:?} does not show it"));
        }
    }
    Ok(())
}

/// Compares the states for all inputs with those for each of them.
fn check_deciding(program: &Program, limit: usize) -> Option<Result<(), String>> {
    let expected = search_by_input(program, limit)?;
    let mut counts = BTreeSet::new();
    for options in states() {
        let mut seen = Seen::default();
        let (outcome, statistics) = por::explore(&mut Toy::without_classes(program), &options, &mut seen);
        if outcome != Outcome::Complete || !expected.is_shown_by(&seen.reached) {
            return Some(Err(format!("{outcome:?}, {:?} instead of {expected:?}", seen.reached)));
        }
        if let Err(what) = shows(program, &seen.schedules) {
            return Some(Err(what));
        }
        if !options.persistent_sets {
            counts.insert(statistics.states);
        }
    }
    Some(if counts.len() == 1 { Ok(()) } else { Err(format!("{counts:?} states")) })
}

#[test]
fn states_for_all_inputs_are_those_for_each() {
    let seed = setting("POR_SEED", 1) << 32;
    let limit = setting("POR_STATES", 1000) as usize;
    campaign::run("decisions with loops", seed, programs("POR_DECIDING_LOOPS", [40, 1_000]), |number| {
        let program = generate::deciding(seed + number, true);
        judge(seed + number, program, |p| check_deciding(p, limit)).is_some().into()
    });
}

#[test]
fn states_that_come_again_lose_nothing() {
    let seed = setting("POR_SEED", 1) << 32;
    // (The search looks for livelocks behind every action.)
    let limit = setting("POR_STATES", 300) as usize;
    let (again, left_out) = (AtomicU64::new(0), AtomicU64::new(0));
    campaign::run("programs that go round", seed, programs("POR_CIRCLES", [60, 6_000]), |number| {
        let check = |p: &Program| {
            let expected = search(p, limit)?;
            Some(states().try_for_each(|options| {
                let (visits, states) = check_states(p, &options, &expected)?;
                again.fetch_add(visits, Ordering::Relaxed);
                left_out.fetch_add(states, Ordering::Relaxed);
                Ok(())
            }))
        };
        // (The first one needs all that is taken from states that come again, and few others do.)
        let program = if number == 0 { generate::woken_again() } else { generate::circling(seed + number) };
        judge(seed + number, program, check).is_some().into()
    });
    assert!(again.into_inner() > 0, "no state was visited again for more");
    assert!(left_out.into_inner() > 0, "no state was left out");
}

#[test]
fn threads_that_look_under_mutexes_for_ever_are_livelocks() {
    let seed = setting("POR_SEED", 1) << 32;
    let limit = setting("POR_STATES", 300) as usize;
    let (livelocks, compared) = (AtomicU64::new(0), AtomicU64::new(0));
    campaign::run("programs that look under mutexes", seed, programs("POR_LOCKING", [30, 3_000]), |number| {
        let check_all = |p: &Program| {
            let expected = search(p, limit)?;
            let stuck = expected.faults.iter().any(|fault| matches!(fault, Fault::Livelock { .. }));
            livelocks.fetch_add(u64::from(stuck), Ordering::Relaxed);
            compared.fetch_add(1, Ordering::Relaxed);
            let visited = states().try_for_each(|options| check_states(p, &options, &expected).map(|_| ()));
            Some(visited.and(check(p, limit, None)?.map(|_| ())))
        };
        judge(seed + number, generate::locking(seed + number), check_all).is_some().into()
    });
    let (livelocks, compared) = (livelocks.into_inner(), compared.into_inner());
    assert!(livelocks > compared / 4 && livelocks < compared, "{livelocks} of {compared} have a livelock");
}

/// Compares one way of visiting every state with the search. Returns how often a known state was visited again for
/// more, and how many states were left out.
fn check_states(program: &Program, options: &Options, expected: &Reached) -> Result<(u64, u64), String> {
    let mut seen = Seen::default();
    let (outcome, statistics) = por::explore(&mut Toy::without_classes(program), options, &mut seen);
    seen.reached.states = visited(options, &statistics, expected.states);
    if outcome != Outcome::Complete || !expected.is_shown_by(&seen.reached) {
        return Err(format!("{options:?}: {outcome:?}, {:?} instead of {expected:?}", seen.reached));
    }
    shows(program, &seen.schedules)?;
    if options.shortest {
        let shortest = shortest(program, expected.states).ok_or("there are more states in breadth")?;
        for (fault, schedule) in &seen.schedules {
            if schedule.len() != shortest[fault] {
                let found = schedule.len();
                return Err(format!("{options:?}: {fault:?} is shown by {found} actions, not {}", shortest[fault]));
            }
        }
    }
    let left_out = expected.states.saturating_sub(statistics.states as usize);
    Ok((statistics.work.visits_again, left_out as u64))
}

#[test]
fn cutoffs_and_states_lose_nothing() {
    let programs = programs("POR_LOOPS", [80, 3_500]);
    let seed = setting("POR_SEED", 1) << 32;
    let limit = setting("POR_STATES", 1000) as usize;
    let (compared, ways, not_looked_up) = (AtomicU64::new(0), AtomicU64::new(0), AtomicU64::new(0));
    campaign::run("abstract programs with loops", seed, programs, |number| {
        let seed = seed + number;
        // That takes longer than all the rest.
        let verify_states = seed.is_multiple_of(8).then_some(u64::MAX);
        let check = |p: &Program| check(p, limit, verify_states);
        let Some((n, unseen)) = judge(seed, generate::looping(seed), check) else { return 0 };
        ways.fetch_add(n, Ordering::Relaxed);
        not_looked_up.fetch_add(unseen, Ordering::Relaxed);
        compared.fetch_add(1, Ordering::Relaxed);
        1
    });
    // Few are too large to be explored without an order that is total.
    let (compared, ways, unseen) = (compared.into_inner(), ways.into_inner(), not_looked_up.into_inner());
    assert!(ways >= 5 * compared, "{ways} comparisons of {compared} programs");
    assert!(unseen > compared, "{unseen} states of {compared} programs were not looked up");
}

/// Explores, with a check of fingerprints, a program whose second thread chooses a value and looks at it later.
fn check_fingerprints(forgotten: Option<usize>) {
    use crate::program::Statement::{Assert, Choose, Create, Lock, Unlock};
    let chooses = vec![Choose(2, 3), Lock(0), Unlock(0), Assert(3, 1)];
    let program = Program { threads: vec![vec![Create(1)], chooses] };
    let mut toy = Toy::without_classes(&program);
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
