//! Several workers against one: they see the same classes, each once, with the same faults, whatever they do when.
//!
//! What they do when is simulated in one thread, so that a failure can be repeated; and once for each program left to
//! threads.
use crate::campaign::{self, programs, setting};
use crate::compare::{EFFECTS, Seen, agrees, every_execution};
use crate::generate::Random;
use crate::program::{Cell, Program, Statement as S};
use crate::toy::{Fault, Toy};
use crate::{generate, judge};
use por::jobs::{Explored, Jobs, explore_with, simulate};
use por::{Ending, Engine, Flow, Listener, Move, Options, Outcome, Reduction};
use std::time::Duration;

/// How many workers there are.
const WORKERS: [usize; 3] = [2, 3, 8];

fn jobs(workers: usize) -> Jobs {
    Jobs { workers, patience: Duration::ZERO, stack: 1 << 20 }
}

/// Compares all ways to divide the work with what the engine finds that is given.
fn check(program: &Program, seed: u64, limit: u64, engine: Engine) -> Option<Result<(), String>> {
    let (oracle, every) = every_execution(program, limit, engine)?;
    let random = &mut Random::new(seed);
    let max_executions = Some(10 + 10 * (every.executions + every.pruned + every.blocked));
    let observers = (0..EFFECTS.len()).map(|effects| (Reduction::Observers, effects));
    let all = [(Reduction::Optimal, 0), (Reduction::Source, 0)].into_iter().chain(observers);
    for (reduction, effects) in all {
        let options = Options { engine: Engine::Dpor(reduction), max_executions, ..Options::default() };
        let in_threads = WORKERS[random.below(3) as usize];
        for workers in WORKERS.map(Some).into_iter().chain([None]) {
            let mut seen = Seen::default();
            let mut toy = Toy::new(program);
            toy.effects = EFFECTS[effects];
            let Explored { outcome, statistics, alone, .. } = match workers {
                Some(workers) => {
                    let decide = |n: usize| random.below(n as u32) as usize;
                    simulate(&mut toy, &options, &mut seen, workers, decide)
                }
                None => explore_with(&mut toy, &options, &mut seen, jobs(in_threads)),
            };
            let same = match alone {
                Some(reason) => Err(reason),
                None => agrees(program, &oracle, outcome, (&seen, &statistics), (reduction, effects)),
            };
            let how = || workers.map_or(format!("{in_threads} threads"), |workers| format!("{workers} workers"));
            if let Err(error) = same {
                return Some(Err(format!("{}: {error}", how())));
            }
        }
    }
    Some(Ok(()))
}

#[test]
fn several_workers_explore_what_one_does() {
    let seed = setting("POR_SEED", 1) << 32;
    let limit = setting("POR_LIMIT", 1000);
    campaign::run("jobs", seed, programs("POR_JOBS", [200, 4_000]), |number| {
        let seed = seed + number;
        let optimal = Engine::Dpor(Reduction::Optimal);
        let (program, engine) = match number % 6 {
            0 => (generate::larger(seed), optimal),
            1 => (generate::blind_writes(&mut Random::new(seed), [5, 3, 2]), optimal),
            2 => (generate::flags(&mut Random::new(seed), [6, 4, 3]), optimal),
            _ => (generate::program(seed), Engine::Naive),
        };
        judge(seed, program, |program| check(program, seed, limit, engine)).is_some().into()
    });
}

/// As many threads that write to one place: n! executions.
fn writers(n: u32) -> Program {
    let place = Cell { granule: 0, start: 0, len: 1 };
    let main = (1..=n).map(S::Create).collect();
    let writers = (1..=n).map(|value| vec![S::Store(place, value as u8 % 4)]);
    Program { threads: std::iter::once(main).chain(writers).collect() }
}

/// Counts, and stops at that number.
#[derive(Default)]
struct Count {
    executions: u64,
    most: Option<u64>,
}

impl Listener<Toy> for Count {
    fn execution(&mut self, _: &Toy, _: Ending, _: &[Move]) -> Flow {
        self.executions += 1;
        if Some(self.executions) == self.most { Flow::Stop } else { Flow::Continue }
    }

    fn violation(&mut self, _: Fault, _: Vec<Move>) -> Flow {
        Flow::Stop
    }
}

#[test]
fn limits_hold_for_all_workers_together() {
    let program = writers(6);
    for (most, max_executions, outcome, expected) in [
        (None, None, Outcome::Complete, 720),
        (None, Some(500), Outcome::ExecutionLimit, 500),
        (None, Some(720), Outcome::ExecutionLimit, 720),
        (None, Some(721), Outcome::Complete, 720),
        (Some(300), None, Outcome::Stopped, 300),
    ] {
        let options = Options { engine: Engine::Dpor(Reduction::Optimal), max_executions, ..Options::default() };
        let mut listener = Count { most, ..Count::default() };
        let explored = explore_with(&mut Toy::new(&program), &options, &mut listener, jobs(4));
        assert_eq!((explored.outcome, listener.executions), (outcome, expected));
        assert_eq!((explored.workers, explored.alone), (4, None));
        if outcome != Outcome::Stopped {
            assert_eq!(explored.statistics.executions, expected);
        }
        let random = &mut Random::new(1);
        let mut listener = Count { most, ..Count::default() };
        let decide = |n: usize| random.below(n as u32) as usize;
        let explored = simulate(&mut Toy::new(&program), &options, &mut listener, 4, decide);
        assert_eq!((explored.outcome, listener.executions), (outcome, expected));
    }
}

#[test]
fn others_come_only_if_it_takes_long() {
    let options = Options { engine: Engine::Dpor(Reduction::Optimal), ..Options::default() };
    let patient = Jobs { patience: Duration::from_secs(3600), ..jobs(4) };
    let explored = explore_with(&mut Toy::new(&writers(4)), &options, &mut Count::default(), patient);
    assert_eq!((explored.outcome, explored.statistics.executions, explored.workers), (Outcome::Complete, 24, 1));
    // This engine has one worker.
    let options = Options::default();
    let explored = explore_with(&mut Toy::new(&writers(4)), &options, &mut Count::default(), jobs(4));
    assert_eq!((explored.statistics.executions, explored.workers, explored.alone.is_some()), (24, 1, true));
}

#[test]
fn what_one_worker_learns_ends_it_for_all() {
    // As in the module `limits`: what is set there gets lost, which is seen in one execution or another.
    let x = Cell { granule: 0, start: 0, len: 1 };
    let main = vec![S::Create(1), S::Store(x, 1), S::Create(2), S::Load(x, 0), S::Store(x, 1)];
    let mut toy = Toy::new(&Program { threads: vec![main, vec![S::Store(x, 1)], vec![S::Load(x, 0)]] });
    toy.wiped = Some(0);
    let options = Options { engine: Engine::Dpor(Reduction::Observers), ..Options::default() };
    for seed in 0..50 {
        let random = &mut Random::new(seed);
        let decide = |n: usize| random.below(n as u32) as usize;
        let simulated = simulate(&mut toy.clone(), &options, &mut Count::default(), 3, decide);
        assert_eq!(simulated.outcome, Outcome::Restart);
        // The one that is left has learned it.
        let mut one = toy.clone();
        let explored = explore_with(&mut one, &options, &mut Count::default(), jobs(3));
        assert_eq!((explored.outcome, one.set.len()), (Outcome::Restart, 0));
    }
}
