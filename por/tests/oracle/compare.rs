//! Explores one program with every engine and option and compares with brute force.
use crate::class::{ALL, Effects, Run, observed_class};
use crate::program::Program;
use crate::toy::{Fault, Toy};
use por::{
    Alternatives, Ending, Engine, Flow, Listener, Move, Options, Outcome, Reduction, Replayed, Statistics, System,
};
use std::collections::{BTreeMap, BTreeSet};

/// What an exploration saw.
#[derive(Default)]
pub struct Seen {
    /// Per Mazurkiewicz class of a maximal execution how often it was explored, and what it looked like at the end.
    pub classes: BTreeMap<u64, (u32, Ending2, u128)>,
    /// The same for the coarser classes of observers, with what the threads know at the end, by what of [`EFFECTS`]
    /// counts.
    pub observed: [BTreeMap<u64, (u32, Ending2, u64)>; EFFECTS.len()],
    pub faults: BTreeSet<Fault>,
    schedules: Vec<(Fault, Vec<Move>)>,
}

/// What observers make use of: all, and each alone.
pub const EFFECTS: [Effects; 6] =
    [ALL, [true, false, false], [false, true, false], [false, false, true], [true, true, false], [false, true, true]];

/// [`Ending`] with an order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub enum Ending2 {
    #[default]
    Complete,
    Pruned,
}

impl Listener<Toy> for Seen {
    fn execution(&mut self, system: &Toy, ending: Ending, _: &[Move]) -> Flow {
        let ending = match ending {
            Ending::Complete => Ending2::Complete,
            Ending::Pruned => Ending2::Pruned,
            Ending::Cutoff => return Flow::Continue,
        };
        self.classes.entry(system.class()).or_insert((0, ending, system.digest())).0 += 1;
        let run = Run::new(system.log());
        for (observed, effects) in self.observed.iter_mut().zip(EFFECTS) {
            observed.entry(observed_class(&run, effects)).or_insert((0, ending, system.known())).0 += 1;
        }
        Flow::Continue
    }

    fn violation(&mut self, fault: Fault, schedule: Vec<Move>) -> Flow {
        if self.faults.insert(fault.clone()) {
            self.schedules.push((fault, schedule));
        }
        Flow::Continue
    }

    fn unknown(&mut self, reason: String) -> Flow {
        panic!("unexpected: {reason}");
    }
}

/// Explores without any limit.
pub fn explore(program: &Program, engine: Engine, alternatives: Alternatives) -> (Seen, Statistics) {
    let options = Options { engine, alternatives, ..Options::default() };
    let (outcome, seen, statistics) = explore_with(program, options, ALL);
    assert_eq!(outcome, Outcome::Complete);
    (seen, statistics)
}

fn explore_with(program: &Program, options: Options, effects: Effects) -> (Outcome, Seen, Statistics) {
    let mut seen = Seen::default();
    let mut toy = Toy::new(program);
    toy.effects = effects;
    let (outcome, statistics) = por::explore(&mut toy, &options, &mut seen);
    (outcome, seen, statistics)
}

/// An exploration with so many executions for each that it is compared with does not end.
const MOST: u64 = 100;

/// Every way to explore that must agree with brute force.
pub const MODES: [Alternatives; 5] = [
    Alternatives::Optimal,
    Alternatives::Within(2),
    Alternatives::Partial(1),
    Alternatives::Partial(2),
    Alternatives::Partial(3),
];

/// Compares all modes with brute force; the first disagreement is the error. `None` if the program is too large: more
/// than `limit` interleavings.
pub fn check(program: &Program, limit: u64) -> Option<Result<(), String>> {
    check_against(program, limit, Engine::Naive)
}

/// The same, with all modes compared with an engine that may explore one execution of each class only.
pub fn check_against(program: &Program, limit: u64, engine: Engine) -> Option<Result<(), String>> {
    let (oracle, every) = every_execution(program, limit, engine)?;
    if let Err(error) = check_unfolding(program, &oracle, &every) {
        return Some(Err(error));
    }
    let observers = (0..EFFECTS.len()).map(|index| (Reduction::Observers, index));
    let all = [(Reduction::Source, 0), (Reduction::Optimal, 0)].into_iter().chain(observers);
    Some(all.into_iter().try_for_each(|(reduction, effects)| check_dpor(program, &oracle, &every, reduction, effects)))
}

fn check_unfolding(program: &Program, oracle: &Seen, every: &Statistics) -> Result<(), String> {
    // A cache of 0 events forgets after every execution what alternatives do not need; no memory at all does too, at
    // times.
    let forgetful =
        [(Alternatives::Optimal, 0, None), (Alternatives::Partial(1), 0, None), (Alternatives::Partial(2), 0, Some(0))];
    for (alternatives, cache, memory) in MODES.iter().map(|m| (*m, 1 << 16, None)).chain(forgetful) {
        // A limit makes an exploration that would never end a mismatch.
        let max_executions = Some(MOST * (1 + every.executions + every.pruned));
        let options = Options { alternatives, cache, memory, max_executions, ..Options::default() };
        let (outcome, seen, statistics) = explore_with(program, options, ALL);
        let agrees = match outcome {
            Outcome::Complete => compare(oracle, &seen, &statistics, alternatives, program),
            _ => Err(format!("{outcome:?}")),
        };
        agrees.map_err(|error| format!("{alternatives:?}, cache {cache}, memory {memory:?}: {error}"))?;
    }
    Ok(())
}

/// Compares only observers. The classes that are compared consist of those that the engine tells apart with which all
/// executions are found.
pub fn check_observed(program: &Program, limit: u64, engine: Engine) -> Option<Result<(), String>> {
    let (oracle, every) = every_execution(program, limit, engine)?;
    let mut effects = 0..EFFECTS.len();
    Some(effects.try_for_each(|index| check_dpor(program, &oracle, &every, Reduction::Observers, index)))
}

/// Compares the engines that know of decisions with brute force; and that with what brute force finds for each input.
pub fn check_decisions(program: &Program, limit: u64) -> Option<Result<(), String>> {
    let (oracle, every) = every_execution(program, limit, Engine::Naive)?;
    let (mut classes, mut faults) = (BTreeSet::new(), BTreeSet::new());
    for input in 0..8 {
        let mut seen = Seen::default();
        let options = Options { engine: Engine::Naive, max_executions: Some(limit), ..Options::default() };
        let (outcome, _) = por::explore(&mut Toy::new(program).with_input(input), &options, &mut seen);
        assert_eq!(outcome, Outcome::Complete, "there are not more for one input than for all");
        classes.extend(seen.classes.into_keys());
        faults.extend(seen.faults);
    }
    if !classes.iter().eq(oracle.classes.keys()) || faults != oracle.faults {
        return Some(Err("brute force with decisions is not what it is input by input".to_owned()));
    }
    if let Err(error) = check_unfolding(program, &oracle, &every) {
        return Some(Err(error));
    }
    let reductions = [Reduction::Source, Reduction::Optimal];
    Some(reductions.into_iter().try_for_each(|reduction| {
        let max_executions = Some(MOST * (1 + every.executions + every.pruned));
        let options = Options { engine: Engine::Dpor(reduction), max_executions, ..Options::default() };
        let (outcome, seen, statistics) = explore_with(program, options, ALL);
        // (Also with wakeup trees some executions may be blocked, see `por::dpor`.)
        let agrees = match outcome {
            Outcome::Complete => compare(&oracle, &seen, &statistics, Alternatives::Partial(1), program),
            _ => Err(format!("{outcome:?}")),
        };
        agrees.map_err(|e| format!("{reduction:?}: {e}"))
    }))
}

/// Every execution that the engine finds, unless these are more than the limit.
pub fn every_execution(program: &Program, limit: u64, engine: Engine) -> Option<(Seen, Statistics)> {
    let mut oracle = Seen::default();
    let options = Options { engine, max_executions: Some(limit), ..Options::default() };
    let (outcome, every) = por::explore(&mut Toy::new(program), &options, &mut oracle);
    (outcome == Outcome::Complete).then_some((oracle, every))
}

fn check_dpor(
    program: &Program,
    oracle: &Seen,
    every: &Statistics,
    reduction: Reduction,
    effects: usize,
) -> Result<(), String> {
    let max_executions = Some(MOST * (1 + every.executions + every.pruned));
    // With states that are known from the first execution on, or a later one, too, compared with what the system does
    // or not.
    // (What counts of effects is no matter for them.)
    let all = [(None, None), (Some(0), None), (Some(1), Some(u64::MAX))];
    for &(known_from, verify_states) in if effects == 0 { &all[..] } else { &all[..1] } {
        let engine = Engine::Dpor(reduction);
        let options = Options { engine, max_executions, known_from, verify_states, ..Options::default() };
        let (outcome, seen, statistics) = explore_with(program, options, EFFECTS[effects]);
        agrees(program, oracle, outcome, (&seen, &statistics), (reduction, effects))
            .map_err(|error| format!("known states {known_from:?}, compared {verify_states:?}: {error}"))?;
    }
    Ok(())
}

/// Whether an exploration of sequences has seen what it should, each class once.
pub fn agrees(
    program: &Program,
    oracle: &Seen,
    outcome: Outcome,
    (seen, statistics): (&Seen, &Statistics),
    (reduction, effects): (Reduction, usize),
) -> Result<(), String> {
    let agrees = match (outcome, reduction) {
        (Outcome::Complete, Reduction::Observers) => compare_observed(oracle, seen, effects, statistics, program),
        (Outcome::Complete, Reduction::Optimal) => compare(oracle, seen, statistics, Alternatives::Optimal, program),
        (Outcome::Complete, _) => compare(oracle, seen, statistics, Alternatives::Partial(1), program),
        _ => Err(format!("{outcome:?}")),
    };
    agrees.map_err(|e| format!("{reduction:?}, effects {:?}: {e}", EFFECTS[effects]))
}

/// With observers: every class of theirs is explored exactly once, threads end as they should, and faults are the same.
fn compare_observed(
    oracle: &Seen,
    seen: &Seen,
    effects: usize,
    statistics: &Statistics,
    program: &Program,
) -> Result<(), String> {
    let (every, found) = (&oracle.observed[effects], &seen.observed[effects]);
    let missing = every.keys().filter(|c| !found.contains_key(c)).count();
    let invented = found.keys().filter(|c| !every.contains_key(c)).count();
    let all = every.len();
    if missing + invented > 0 {
        return Err(format!("{missing} of {all} classes missing, {invented} invented"));
    }
    if let Some((count, ..)) = found.values().find(|(count, ..)| *count > 1) {
        return Err(format!("one of {all} classes was explored {count} times"));
    }
    for (class, (_, ending, known)) in found {
        let (_, expected_ending, expected) = &every[class];
        if known != expected || ending != expected_ending {
            return Err("a class ends in another state".to_owned());
        }
    }
    if statistics.blocked != 0 || statistics.executions + statistics.pruned != all as u64 {
        let Statistics { executions, blocked, .. } = statistics;
        return Err(format!("{executions} executions and {blocked} blocked instead of {all}"));
    }
    compare_faults(oracle, seen, program)
}

fn compare(
    oracle: &Seen,
    seen: &Seen,
    statistics: &Statistics,
    alternatives: Alternatives,
    program: &Program,
) -> Result<(), String> {
    let missing = oracle.classes.keys().filter(|c| !seen.classes.contains_key(c)).count();
    let invented = seen.classes.keys().filter(|c| !oracle.classes.contains_key(c)).count();
    if missing + invented > 0 {
        let all = oracle.classes.len();
        return Err(format!("{missing} of {all} classes missing, {invented} invented"));
    }
    if let Some((_, (count, ..))) = seen.classes.iter().find(|(_, (count, ..))| *count > 1) {
        return Err(format!("a class was explored {count} times"));
    }
    for (class, (_, ending, digest)) in &seen.classes {
        let (_, expected_ending, expected) = &oracle.classes[class];
        if digest != expected || ending != expected_ending {
            return Err("a class ends in another state".to_owned());
        }
    }
    if statistics.executions + statistics.pruned != oracle.classes.len() as u64 {
        return Err(format!("statistics count {} executions", statistics.executions));
    }
    if alternatives == Alternatives::Optimal && statistics.blocked != 0 {
        return Err(format!("{} executions blocked", statistics.blocked));
    }
    compare_faults(oracle, seen, program)
}

fn compare_faults(oracle: &Seen, seen: &Seen, program: &Program) -> Result<(), String> {
    if seen.faults != oracle.faults {
        return Err(format!("faults {:?} instead of {:?}", seen.faults, oracle.faults));
    }
    check_schedules(seen, program)
}

/// Whether each schedule shows its fault again.
pub fn check_schedules(seen: &Seen, program: &Program) -> Result<(), String> {
    for (fault, schedule) in &seen.schedules {
        let replayed = por::replay(&mut Toy::new(program), schedule, |_, _| {}, |_, _| {});
        let Replayed::Finished(faults) = replayed else {
            return Err(format!("the schedule of {fault:?} cannot be executed"));
        };
        if !faults.iter().any(|(_, f)| f == fault) {
            return Err(format!("the schedule of {fault:?} does not show it"));
        }
    }
    Ok(())
}
