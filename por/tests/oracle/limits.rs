//! Explorations that end early, and schedules that are not schedules.
use crate::program::{Cell, Program, Statement as S};
use crate::toy::{Fault, Toy};
use por::{Engine, Flow, Listener, Move, Options, Outcome, Reduction, Replayed, Statistics, ThreadId};

const X: Cell = Cell { granule: 0, start: 0, len: 1 };

/// Three writers: 6 executions of 3 + 3 + 3 actions.
fn writers() -> Program {
    let main = (1..=3).map(S::Create).collect();
    Program { threads: vec![main, vec![S::Store(X, 1)], vec![S::Store(X, 2)], vec![S::Store(X, 3)]] }
}

#[derive(Default)]
struct Quiet {
    polls: u64,
    stop_at_poll: bool,
}

impl Listener<Toy> for Quiet {
    fn violation(&mut self, _: Fault, _: Vec<Move>) -> Flow {
        Flow::Stop
    }
    fn poll(&mut self, _: &Toy, _: &Statistics) -> Flow {
        self.polls += 1;
        if self.stop_at_poll { Flow::Stop } else { Flow::Continue }
    }
}

fn run(program: &Program, options: &Options, listener: &mut Quiet) -> (Outcome, Statistics) {
    por::explore(&mut Toy::new(program), options, listener)
}

#[test]
fn the_number_of_executions_can_be_limited() {
    for engine in [Engine::Unfolding, Engine::Naive] {
        let options = Options { engine, max_executions: Some(4), ..Options::default() };
        let (outcome, statistics) = run(&writers(), &options, &mut Quiet::default());
        assert_eq!((outcome, statistics.executions), (Outcome::ExecutionLimit, 4));
    }
}

#[test]
fn the_length_of_executions_can_be_limited() {
    // main's 3 creations and end, and 2 actions of each writer.
    for engine in [Engine::Unfolding, Engine::Naive] {
        let options = Options { engine, max_depth: 9, ..Options::default() };
        assert_eq!(run(&writers(), &options, &mut Quiet::default()).0, Outcome::DepthLimit);
    }
    let options = Options { max_depth: 11, ..Options::default() };
    let (outcome, statistics) = run(&writers(), &options, &mut Quiet::default());
    assert_eq!((outcome, statistics.depth, statistics.executions), (Outcome::Complete, 10, 6));
}

#[test]
fn the_observer_can_end_it() {
    // C(12, 6) = 924 executions, so that the listener is asked.
    let program =
        Program { threads: vec![vec![S::Create(1), S::Create(2)], vec![S::Store(X, 1); 6], vec![S::Store(X, 2); 6]] };
    for engine in [Engine::Unfolding, Engine::Naive] {
        let options = Options { engine, ..Options::default() };
        let mut listener = Quiet { stop_at_poll: true, ..Quiet::default() };
        assert_eq!(run(&program, &options, &mut listener).0, Outcome::Stopped);
        assert_eq!(listener.polls, 1);
    }
    let (outcome, statistics) = run(&program, &Options::default(), &mut Quiet::default());
    assert_eq!((outcome, statistics.executions), (Outcome::Complete, 924));
}

#[test]
fn a_violation_can_end_it() {
    let program = Program { threads: vec![vec![S::Load(X, 0), S::Assert(0, 0)]] };
    for engine in [Engine::Unfolding, Engine::Naive] {
        let options = Options { engine, ..Options::default() };
        assert_eq!(run(&program, &options, &mut Quiet::default()).0, Outcome::Stopped);
    }
}

#[test]
fn an_impossible_move_is_named() {
    let main = |label| Move { thread: ThreadId(0), label };
    let schedule = [main(0), Move { thread: ThreadId(2), label: 0 }];
    let replayed = por::replay(&mut Toy::new(&writers()), &schedule, |_, _| {}, |_, _| {});
    assert!(matches!(replayed, Replayed::Impossible { at: 1 }), "{replayed:?}");
}

#[test]
fn what_is_not_there_any_more_was_not_set() {
    // Whoever sets X has main create another thread behind that, which is when X gets lost.
    let main = vec![S::Create(1), S::Store(X, 1), S::Create(2), S::Load(X, 0), S::Store(X, 1)];
    let mut toy = Toy::new(&Program { threads: vec![main, vec![S::Store(X, 1)], vec![S::Load(X, 0)]] });
    let options = Options { engine: Engine::Dpor(Reduction::Observers), ..Options::default() };
    let explore = |toy: &Toy| {
        let mut toy = toy.clone();
        let outcome = por::explore(&mut toy, &options, &mut Quiet::default()).0;
        (outcome, toy.set.len())
    };
    assert_eq!(explore(&toy), (Outcome::Complete, 3));
    toy.wiped = Some(0);
    assert_eq!(explore(&toy), (Outcome::Restart, 0));
}
