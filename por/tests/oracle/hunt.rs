//! Samples against every execution, and each sampler against its definition. All seeds are fixed, so that nothing fails
//! by chance.
use crate::compare::{Seen, check_schedules, every_execution};
use crate::program::{Cell, Program, Statement as S};
use crate::toy::{Fault, Toy};
use por::hunt::{Budget, Hunt, HuntOptions, Sampler, Samples};
use por::{Ending, Engine, Flow, Listener, Move, Options, Outcome, System, ThreadId};
use std::collections::{BTreeMap, BTreeSet};

const X: Cell = Cell { granule: 0, start: 0, len: 1 };
const Y: Cell = Cell { granule: 1, start: 0, len: 1 };
const Z: Cell = Cell { granule: 2, start: 0, len: 1 };

fn samples(count: u64) -> Budget {
    Budget { samples: count, steps: u64::MAX }
}

/// A main thread that creates these threads.
fn main_and(workers: Vec<Vec<S>>) -> Program {
    let main = (1..=workers.len() as u32).map(S::Create).collect();
    Program { threads: [vec![main], workers].concat() }
}

/// Samples a program, by one sampler or all in turn.
fn hunt<L: Listener<Toy>>(
    program: &Program,
    (seed, only): (u64, Option<Sampler>),
    count: u64,
    seen: &mut L,
) -> (Outcome, Samples) {
    let mut hunt = Hunt::new(HuntOptions { seed, only, ..HuntOptions::default() });
    let outcome = hunt.go_on(&mut Toy::new(program), samples(count), seen);
    (outcome, hunt.samples().clone())
}

/// Samples show executions of the program and nothing else, count its classes truly, and their faults can be repeated.
/// `None` if brute force takes too long.
pub fn check(program: &Program, limit: u64) -> Option<Result<(), String>> {
    let (oracle, _) = every_execution(program, limit, Engine::Naive)?;
    let mut seen = Seen::default();
    let (outcome, counted) = hunt(program, (1, None), 64, &mut seen);
    let check = || {
        if outcome != Outcome::ExecutionLimit {
            return Err(format!("samples end by {outcome:?}"));
        }
        if let Some((_, execution)) = seen.classes.iter().find(|(class, _)| !oracle.classes.contains_key(class)) {
            return Err(format!("{execution:?} is none of the program's executions"));
        }
        for (class, (_, ending, digest)) in &seen.classes {
            if (*ending, *digest) != (oracle.classes[class].1, oracle.classes[class].2) {
                return Err("a class ends in another state".to_owned());
            }
        }
        if counted.classes != seen.classes.len() as u64 {
            return Err(format!("{} classes were counted and {} seen", counted.classes, seen.classes.len()));
        }
        if let Some(fault) = seen.faults.iter().find(|fault| !oracle.faults.contains(fault)) {
            return Err(format!("{fault:?} is none of the program's faults"));
        }
        check_schedules(&seen, program)
    };
    Some(check())
}

/// Every class of the program, with the fewest preemptions of a schedule of it.
struct Preemptions<'a> {
    program: &'a Program,
    fewest: BTreeMap<u64, u32>,
}

impl Listener<Toy> for Preemptions<'_> {
    fn execution(&mut self, system: &Toy, _: Ending, schedule: &[Move]) -> Flow {
        let (mut toy, mut last, mut count) = (Toy::new(self.program), None, 0);
        toy.start();
        for step in schedule {
            let could_go_on = |last: &ThreadId| {
                let mut variants = Vec::new();
                por::current_variants(&toy, *last, &mut variants);
                !variants.is_empty()
            };
            count += u32::from(last.filter(could_go_on).is_some_and(|last| last != step.thread));
            toy.execute(step.thread, step.label);
            last = Some(step.thread);
        }
        let fewest = self.fewest.entry(system.class()).or_insert(count);
        *fewest = count.min(*fewest);
        Flow::Continue
    }

    fn violation(&mut self, _: Fault, _: Vec<Move>) -> Flow {
        Flow::Continue
    }
}

/// When all schedules with so many preemptions were taken, each class was met that has one; and in the end each class.
/// `None` if brute force takes too long.
pub fn check_preemptions(program: &Program, limit: u64) -> Option<Result<(), String>> {
    let mut every = Preemptions { program, fewest: BTreeMap::new() };
    let options = Options { engine: Engine::Naive, max_executions: Some(limit), ..Options::default() };
    if por::explore(&mut Toy::new(program), &options, &mut every).0 != Outcome::Complete {
        return None;
    }
    let only = Some(Sampler::Bounded);
    let (mut toy, mut seen) = (Toy::new(program), Counted::default());
    let mut hunt = Hunt::new(HuntOptions { only, ..HuntOptions::default() });
    let mut checked = None;
    loop {
        let before = hunt.samples().samples;
        let met: BTreeSet<u64> = seen.classes.keys().copied().collect();
        if hunt.go_on(&mut toy, samples(1), &mut seen) != Outcome::ExecutionLimit {
            return Some(Err("nothing stops samples".to_owned()));
        }
        // What is complete is known before the next sample.
        let Samples { samples, preemptions, is_exhausted, .. } = *hunt.samples();
        if preemptions != checked {
            let bound = preemptions.unwrap_or(0);
            let missing =
                every.fewest.iter().filter(|(class, count)| **count <= bound && !met.contains(*class)).count();
            if missing > 0 {
                return Some(Err(format!("{missing} classes with at most {bound} preemptions are missing")));
            }
            checked = preemptions;
        }
        if samples == before {
            let all = met.iter().eq(every.fewest.keys());
            let ends = is_exhausted && all;
            return Some(if ends { Ok(()) } else { Err(format!("{} of {} classes", met.len(), every.fewest.len())) });
        }
    }
}

/// How often each class was sampled.
#[derive(Default)]
struct Counted {
    classes: BTreeMap<u64, u64>,
    faults: u64,
}

impl Listener<Toy> for Counted {
    fn execution(&mut self, system: &Toy, _: Ending, _: &[Move]) -> Flow {
        *self.classes.entry(system.class()).or_default() += 1;
        Flow::Continue
    }

    fn violation(&mut self, _: Fault, _: Vec<Move>) -> Flow {
        self.faults += 1;
        Flow::Continue
    }
}

/// Two threads that each store to one cell so often, amid other stores that nothing depends on; there are C(a + b, a)
/// orders.
fn stores(counts: [u8; 2]) -> Program {
    let worker = |count: u8, mine: Cell| (0..count).flat_map(|i| [S::Store(X, i), S::Store(mine, i)]).collect();
    main_and(vec![worker(counts[0], Y), worker(counts[1], Z)])
}

/// The sum of squared deviations from uniformity, in units of the expected number: about as many as there are classes
/// if it is uniform.
fn chi_square(classes: &BTreeMap<u64, u64>) -> f64 {
    let all: u64 = classes.values().sum();
    let expected = all as f64 / classes.len() as f64;
    classes.values().map(|&count| (count as f64 - expected).powi(2) / expected).sum()
}

#[test]
fn surw_is_uniform_over_the_orders_of_what_races() {
    // For c classes, c - 1 ± sqrt(2c); the bound is five of these deviations.
    for (counts, orders) in [([1, 1], 2), ([2, 2], 6), ([3, 2], 10), ([1, 5], 6), ([4, 3], 35)] {
        let mut seen = Counted::default();
        hunt(&stores(counts), (7, Some(Sampler::Surw)), 20_000, &mut seen);
        assert_eq!(seen.classes.len(), orders);
        let (deviation, all) = (chi_square(&seen.classes), orders as f64);
        // (The first sample has no weights, and is one of 20,000.)
        assert!(deviation < all - 1.0 + 5.0 * (2.0 * all).sqrt(), "{counts:?}: {deviation}");
    }
    // A random walk is not: one thread with one store among ten of the other one comes last with odds of 1 to 2^10.
    let mut seen = Counted::default();
    hunt(&stores([1, 5]), (7, Some(Sampler::Walk)), 20_000, &mut seen);
    assert!(chi_square(&seen.classes) > 1_000.0, "{:?}", seen.classes);
}

#[test]
fn surw_shares_weights_with_threads_that_are_created() {
    // Thread 1 creates thread 3 after its own store: orders of three stores in a row and one of thread 2.
    let threads = vec![
        vec![S::Create(1), S::Create(2)],
        vec![S::Store(X, 1), S::Create(3), S::Store(Y, 0)],
        vec![S::Store(X, 2)],
        vec![S::Store(X, 3), S::Store(X, 4)],
    ];
    let mut seen = Counted::default();
    hunt(&Program { threads }, (3, Some(Sampler::Surw)), 20_000, &mut seen);
    assert_eq!(seen.classes.len(), 4);
    assert!(chi_square(&seen.classes) < 3.0 + 5.0 * 8_f64.sqrt(), "{:?}", seen.classes);
}

#[test]
fn every_class_is_sampled() {
    let workers = vec![vec![S::Load(X, 0), S::Store(Y, 1)], vec![S::Load(Y, 0), S::Store(X, 1)], vec![S::Store(X, 2)]];
    let program = main_and(workers);
    let (oracle, _) = every_execution(&program, 100_000, Engine::Naive).expect("it is small");
    for only in [None, Some(Sampler::Surw), Some(Sampler::Pos), Some(Sampler::Walk)] {
        let mut seen = Counted::default();
        hunt(&program, (5, only), 4_000, &mut seen);
        assert_eq!(seen.classes.len(), oracle.classes.len(), "{only:?}");
    }
}

#[test]
fn pos_keeps_a_priority_until_it_races() {
    // Main takes ten steps of its own and stores; thread 1 only stores. Its one priority must be the smallest of twelve
    // for it to come last.
    let main = [vec![S::Create(1)], vec![S::Store(Y, 0); 10], vec![S::Store(X, 1)]].concat();
    let program = Program { threads: vec![main, vec![S::Store(X, 2)]] };
    let share = |only| {
        let mut seen = Counted::default();
        hunt(&program, (11, Some(only)), 12_000, &mut seen);
        seen.classes.values().map(|&count| count as f64 / 12_000.0).fold(1.0, f64::min)
    };
    // The deviation is sqrt(p (1 - p) / 12,000), which is 0.0025.
    assert!((share(Sampler::Pos) - 1.0 / 12.0).abs() < 0.0125, "{}", share(Sampler::Pos));
    assert!(share(Sampler::Walk) < 0.003, "one in 2^11: {}", share(Sampler::Walk));
}

#[test]
fn pct_keeps_its_promise() {
    // A bug of depth 3: thread 2 must come between two stores, and these between its own two.
    let first = vec![S::Store(X, 1), S::Load(Y, 0), S::If(0, 1, vec![S::Load(Z, 1), S::Assert(1, 0)])];
    let second = vec![S::Load(X, 0), S::If(0, 1, vec![S::Store(Y, 1)]), S::Store(Z, 1)];
    let program = main_and(vec![first, second]);
    let all = 20_000;
    let mut seen = Counted::default();
    hunt(&program, (13, Some(Sampler::Pct)), all, &mut seen);
    // Three threads and at most ten actions: 1 to 3 · 10².
    assert!(seen.faults >= all / 300, "{}", seen.faults);
}

#[test]
fn the_first_samples_reverse_races() {
    // Fifty threads set two flags one after the other; another one looks in between. A random walk hardly ever sees
    // that.
    let mut workers = vec![vec![S::Store(X, 1), S::Store(Y, 1)]; 40];
    workers.push(vec![S::Load(X, 0), S::If(0, 1, vec![S::Load(Y, 1), S::Assert(1, 0)])]);
    let mut program = main_and(workers);
    program.threads[0].truncate(41);
    let mut needed: Vec<u64> = (0..20)
        .map(|seed| {
            let mut first = First::default();
            hunt(&program, (seed, None), 100, &mut first);
            first.found.expect("it is found")
        })
        .collect();
    needed.sort_unstable();
    assert!(needed[10] <= 6, "{needed:?}");
}

/// Stops at the first fault.
#[derive(Default)]
struct First {
    ended: u64,
    found: Option<u64>,
}

impl Listener<Toy> for First {
    fn execution(&mut self, _: &Toy, _: Ending, _: &[Move]) -> Flow {
        self.ended += 1;
        Flow::Continue
    }

    fn violation(&mut self, _: Fault, _: Vec<Move>) -> Flow {
        self.found = Some(self.ended + 1);
        Flow::Stop
    }
}

#[test]
fn the_same_seed_gives_the_same_samples() {
    let program = stores([3, 3]);
    let run = |seed, rounds: &[u64]| {
        let mut seen = Counted::default();
        let mut hunt = Hunt::new(HuntOptions { seed, ..HuntOptions::default() });
        let mut toy = Toy::new(&program);
        for round in rounds {
            assert_eq!(hunt.go_on(&mut toy, samples(*round), &mut seen), Outcome::ExecutionLimit);
        }
        (seen.classes, hunt.samples().clone())
    };
    assert_eq!(run(1, &[60]), run(1, &[60]));
    assert_eq!(run(1, &[60]), run(1, &[10, 20, 30]));
    assert_ne!(run(1, &[60]).0, run(2, &[60]).0);
}

#[test]
fn what_is_unseen_is_estimated() {
    // 70 classes, all with the same odds: after n samples, (69/70)^n of them are unseen.
    let program = stores([4, 4]);
    for (count, expected) in [(70, 0.365), (140, 0.133), (400, 0.003)] {
        let (_, counted) = hunt(&program, (17, Some(Sampler::Surw)), count, &mut Counted::default());
        let estimate = counted.unseen().expect("there are samples");
        assert!((estimate - expected).abs() < 0.1, "{count}: {estimate}");
    }
}

#[test]
fn a_program_without_choices_is_sampled_once() {
    let program = Program { threads: vec![vec![S::Store(X, 1), S::Load(X, 0), S::Assert(0, 1)]] };
    let mut first = First::default();
    let (outcome, counted) = hunt(&program, (1, None), 100, &mut first);
    assert_eq!((outcome, first.found), (Outcome::Stopped, Some(1)));
    assert_eq!(counted.samples, 0);
    let program = Program { threads: vec![vec![S::Store(X, 1)]] };
    let (outcome, counted) = hunt(&program, (1, None), 100, &mut Counted::default());
    assert_eq!((outcome, counted.samples, counted.is_exhausted), (Outcome::ExecutionLimit, 1, true));
}

#[test]
fn long_samples_are_given_up() {
    let program = main_and(vec![vec![S::Forever(vec![S::Load(X, 0)])], vec![S::Store(X, 1)]]);
    let mut hunt = Hunt::new(HuntOptions { max_depth: 50, ..HuntOptions::default() });
    let outcome = hunt.go_on(&mut Toy::new(&program), samples(10), &mut Counted::default());
    let Samples { samples, too_long, classes, .. } = hunt.samples();
    assert_eq!((outcome, *samples, *too_long, *classes), (Outcome::ExecutionLimit, 10, 10, 0));
}

/// A thread that goes round for longer than a sample may last, before anything is drawn: there are no samples, however
/// many were asked for.
#[test]
fn what_is_too_long_before_anything_is_drawn_is_not_sampled() {
    let program = Program { threads: vec![vec![S::Forever(vec![S::Load(X, 0), S::Store(X, 1)])]] };
    let mut hunt = Hunt::new(HuntOptions { max_depth: 50, ..HuntOptions::default() });
    for _ in 0..2 {
        let budget = Budget { samples: u64::MAX, steps: 1_000 };
        let outcome = hunt.go_on(&mut Toy::new(&program), budget, &mut Counted::default());
        assert_eq!((outcome, hunt.samples().samples), (Outcome::ExecutionLimit, 0));
        assert!(!hunt.samples().is_exhausted);
        hunt.forget();
    }
}
