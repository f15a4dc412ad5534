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
use por::jobs::{Coordinator, Done, Explored, Jobs, Task, explore_with, simulate, work};
use por::{Ending, Engine, Flow, Listener, Move, Options, Outcome, Reduction, Statistics};
use std::time::Duration;

/// How many workers there are.
const WORKERS: [usize; 3] = [2, 3, 8];

fn jobs(workers: usize) -> Jobs {
    Jobs { workers, patience: Duration::ZERO, stack: 1 << 20 }
}

/// Explores with a coordinator and workers that have no memory in common: what is told passes through bytes. At most so
/// many tasks are with workers at a time; each takes as many executions as the lot says. Some are lost, and done again;
/// some are done twice.
fn apart(
    toy: &Toy,
    options: &Options,
    reduction: Reduction,
    seen: &mut Seen,
    (most, random): (usize, &mut Random),
) -> Result<(Outcome, Statistics), String> {
    fn through_bytes<T: serde::Serialize + serde::de::DeserializeOwned>(it: &T) -> T {
        let bytes = postcard::to_stdvec(it).expect("plain data can be written");
        postcard::from_bytes(&bytes).expect("it was just written")
    }
    let mut coordinator = Coordinator::new(reduction);
    let mut away: Vec<Task> = Vec::new();
    let mut all = Statistics::default();
    let limit = 100 + 100 * options.max_executions.expect("there is a limit");
    let options = &Options { max_executions: None, ..options.clone() };
    for _ in 0..limit {
        if coordinator.is_over() {
            return if away.is_empty() { Ok((Outcome::Complete, all)) } else { Err("a task is left".to_owned()) };
        }
        if away.len() < most && random.below(2) == 0 {
            away.extend(coordinator.task(random.below(4) > 0).map(|task| through_bytes(&task)));
        }
        if away.is_empty() || random.below(3) == 0 {
            continue;
        }
        let task = away.swap_remove(random.below(away.len() as u32) as usize);
        let budget = u64::from(1 + random.below(6));
        let mut go_on = |statistics: &Statistics| statistics.ends() < budget;
        if random.below(5) == 0 {
            // The worker dies before anybody hears of what it has done.
            work(&mut toy.clone(), options, reduction, &task, &mut Seen::default(), &mut go_on);
            away.push(task);
            continue;
        }
        let (outcome, statistics, done) = work(&mut toy.clone(), options, reduction, &task, seen, &mut go_on);
        let Some(done) = done else { return Ok((outcome, all)) };
        let done: Done = through_bytes(&done);
        all = Statistics::sum([&all, &statistics].into_iter());
        if !coordinator.accept(task.id, &done) {
            return Err("what was done is not accepted".to_owned());
        }
        if coordinator.has_given(task.id) || coordinator.accept(task.id, &done) {
            return Err("it is accepted twice".to_owned());
        }
    }
    Err("it does not end".to_owned())
}

/// Compares all ways to divide the work with what the engine finds that is given; or one way, among so many workers.
fn check(program: &Program, seed: u64, limit: u64, engine: Engine, only: usize) -> Option<Result<(), String>> {
    let (oracle, every) = every_execution(program, limit, engine)?;
    let random = &mut Random::new(seed);
    let max_executions = Some(10 + 10 * (every.executions + every.pruned + every.blocked));
    let observers = (0..EFFECTS.len()).map(|effects| (Reduction::Observers, effects));
    let all = [(Reduction::Optimal, 0), (Reduction::Source, 0)].into_iter().chain(observers);
    for (reduction, effects) in all {
        let options = Options { engine: Engine::Dpor(reduction), max_executions, ..Options::default() };
        let in_threads = WORKERS[random.below(3) as usize];
        let mut seen = Seen::default();
        let mut toy = Toy::new(program);
        toy.effects = EFFECTS[effects];
        let most = 1 + random.below(4) as usize;
        if only == 0 {
            let same = apart(&toy, &options, reduction, &mut seen, (most, random)).and_then(|(outcome, statistics)| {
                agrees(program, &oracle, outcome, (&seen, &statistics), (reduction, effects))
            });
            if let Err(error) = same {
                return Some(Err(format!("{most} workers apart: {error}")));
            }
        }
        let ways = WORKERS.map(Some).into_iter().chain([None]);
        for workers in ways.filter(|_| only == 0).chain((only > 0).then_some(Some(only))) {
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
    let (limit, only) = (setting("POR_LIMIT", 1000), setting("POR_WORKERS", 0) as usize);
    campaign::run("jobs", seed, programs("POR_JOBS", [40, 4_000]), |number| {
        let seed = seed + number;
        let optimal = Engine::Dpor(Reduction::Optimal);
        let (program, engine) = match number % 6 {
            0 => (generate::larger(seed), optimal),
            1 => (generate::blind_writes(&mut Random::new(seed), [5, 3, 2]), optimal),
            2 => (generate::flags(&mut Random::new(seed), [6, 4, 3]), optimal),
            _ => (generate::program(seed), Engine::Naive),
        };
        judge(seed, program, |program| check(program, seed, limit, engine, only)).is_some().into()
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
