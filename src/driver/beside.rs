//! The engine `states` beside another one: the two take turns.
//!
//! Which of them a program suits is seen by exploring it: one has few states and millions of executions, another one
//! few executions and millions of states. So the usual engine begins, and most programs come to their end before
//! anything else happens. When it has taken [`FIRST`] actions, and whenever it has taken [`GROWTH`] times as many as at
//! the turn before, `states` may take as many actions from the start. The first certain answer counts. So whatever
//! `states` takes is less than 1 + 1/(GROWTH - 1) times the actions of the other one, and nothing more once there are
//! too many states.
//!
//! All of that is counted, and nothing measured: a run is the same every time.
//!
//! A turn has a machine of its own, which knows what explorations have learned by then, and hears of nothing but its
//! own listener. It ends with one of three results. *Every state was visited and nothing is wrong*: the program is
//! safe, for the reason for which it is with `--engine states`. *Something is wrong*: the exploration starts again with
//! that engine, which comes to it in the same way and has it confirmed, shortened and reported as ever. *Neither*: the
//! other engine goes on where it was.
use super::findings::Shared;
use crate::report::Statistics;
use interp::Machine;
use interp::fault::Fault;
use por::{Engine, Flow, Listener, Move, Options, Outcome};
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// Actions of the other engine before the first turn.
const FIRST: u64 = 100_000;

/// How many times as many it has taken before the next one.
const GROWTH: u64 = 4;

/// States that are kept without much ado.
pub(super) const MANY: u64 = 2_000_000;

/// About how many bytes a state takes, with the way to it.
const BYTES: u64 = 64;

/// How often a turn starts again with what it has learned.
const MOST_STARTS: u32 = 100;

/// The turns of `states`.
pub(super) struct Beside {
    options: Options,
    /// Actions of the other engine before the next one.
    due: u64,
    shared: Arc<Shared>,
}

/// What came of a turn.
pub(super) enum Answer {
    /// Every state was visited, and nothing is wrong. (The machine has done it.)
    Safe(Box<(Machine, por::Statistics)>),
    /// Something is.
    Bug,
}

impl Beside {
    /// For an exploration with these options; `memory` is what there is of that, in bytes.
    pub(super) fn new(asked: &Options, memory: Option<u64>, shared: Arc<Shared>) -> Self {
        let most = memory.map_or(MANY, |memory| MANY.min(memory / 8 / BYTES));
        Beside { options: states(asked, most), due: FIRST, shared }
    }

    /// Whether it is the turn of `states`, after so many actions of the other engine.
    pub(super) fn is_due(&self, actions: u64) -> bool {
        actions >= self.due
    }

    /// One turn, after so many actions of the other engine. The machine was not started.
    pub(super) fn turn(&mut self, pristine: &Machine, actions: u64) -> Option<Answer> {
        self.due = actions.saturating_mul(GROWTH);
        let mut machine = pristine.clone();
        let mut left = actions;
        for _ in 0..MOST_STARTS {
            let mut turn = Turn { shared: &self.shared, left, found: false, doubts: false };
            let (outcome, counters) = por::explore(&mut machine, &self.options, &mut turn);
            let Turn { found, doubts, .. } = turn;
            tracing::debug!(
                ?outcome,
                found,
                doubts,
                states = counters.states,
                steps = counters.steps,
                "states had a turn"
            );
            match outcome {
                Outcome::Complete if !found && !doubts => return Some(Answer::Safe(Box::new((machine, counters)))),
                Outcome::Stopped if found => return Some(Answer::Bug),
                Outcome::Restart if counters.steps < left => {
                    left -= counters.steps;
                    let mut next = pristine.clone();
                    next.learn_from(&machine);
                    machine = next;
                }
                Outcome::StateLimit => {
                    self.due = u64::MAX;
                    return None;
                }
                _ => return None,
            }
        }
        None
    }
}

/// An exploration of so many states at most.
pub(super) fn states(asked: &Options, most: u64) -> Options {
    Options {
        engine: Engine::States,
        cutoffs: None,
        prefix: None,
        verify_states: None,
        max_states: Some(most),
        ..asked.clone()
    }
}

/// Listens in a turn.
struct Turn<'a> {
    shared: &'a Shared,
    /// Actions that it may take.
    left: u64,
    found: bool,
    doubts: bool,
}

impl Listener<Machine> for Turn<'_> {
    fn violation(&mut self, fault: Fault, _: Vec<Move>) -> Flow {
        // What happens after the end of the process happens to no thread.
        self.found |= !fault.after_end;
        if self.found { Flow::Stop } else { Flow::Continue }
    }

    fn unknown(&mut self, _: String) -> Flow {
        self.doubts = true;
        Flow::Stop
    }

    fn poll(&mut self, _: &Machine, counters: &por::Statistics) -> Flow {
        self.shared.depth.store(counters.depth, Ordering::Relaxed);
        self.shared.change(|findings| {
            let por::Statistics { states, events, .. } = *counters;
            findings.statistics = Statistics { states, events, ..findings.statistics };
        });
        let stops = counters.steps >= self.left || self.shared.stop.load(Ordering::Relaxed);
        if stops { Flow::Stop } else { Flow::Continue }
    }
}
