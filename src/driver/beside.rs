//! The engine `states` beside another one: the two take turns, or each has a processor.
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
//! Where there are several processors (`--jobs`), and the other engine cannot use them, there are no turns: at the time
//! of the first one `states` begins on a thread of its own, and goes on until one of the two has the answer, or there
//! are too many states. Which of them answers is a matter of time then. The answer is not: each is certain.
//!
//! A turn has a machine of its own, which knows what explorations have learned by then, and hears of nothing but its
//! own listener. It ends with one of three results. *Every state was visited and nothing is wrong*: the program is
//! safe, for the reason for which it is with `--engine states`. *Something is wrong*: the exploration starts again with
//! that engine, which comes to it in the same way and has it confirmed, shortened and reported as ever. *Neither*: the
//! other engine goes on where it was.
use super::findings::Shared;
use super::start;
use crate::report::Statistics;
use interp::Machine;
use interp::fault::Fault;
use por::{Engine, Flow, Listener, Move, Options, Outcome};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, TryRecvError};
use std::time::Duration;

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

/// How long it may take to stop.
const GRACE: Duration = Duration::from_secs(2);

/// The engine `states` beside another one.
pub(super) struct Beside {
    options: Options,
    /// Actions of the other engine before the next turn.
    due: u64,
    shared: Arc<Shared>,
    /// It has a processor of its own.
    is_apart: bool,
    /// There it is.
    running: Option<Running>,
    /// It was there, now or before.
    has_run: bool,
}

/// `states` on a thread of its own, which ends when this does.
struct Running {
    end: Arc<AtomicBool>,
    result: Receiver<Result<Option<Answer>, String>>,
}

impl Drop for Running {
    fn drop(&mut self) {
        self.end.store(true, Ordering::Relaxed);
        // (It is not to go on while the process ends. What it says does not matter any more.)
        let _ = self.result.recv_timeout(GRACE);
    }
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
        let options = states(asked, most);
        Beside { options, due: FIRST, shared, is_apart: false, running: None, has_run: false }
    }

    /// It gets a processor of its own; `at_once`: without waiting for the time of its first turn.
    pub(super) fn apart(self, at_once: bool) -> Self {
        Beside { is_apart: true, due: if at_once { 0 } else { FIRST }, ..self }
    }

    /// Whether it has a processor of its own.
    pub(super) fn is_apart(&self) -> bool {
        self.is_apart
    }

    /// Whether it has used that.
    pub(super) fn has_run(&self) -> bool {
        self.has_run
    }

    /// The answer, if there is one after so many actions of the other engine. The machine was not started.
    pub(super) fn answer(&mut self, pristine: &Machine, actions: u64) -> Option<Answer> {
        if let Some(running) = &self.running {
            let said = match running.result.try_recv() {
                Err(TryRecvError::Empty) => return None,
                Err(TryRecvError::Disconnected) => None,
                // As in a turn.
                Ok(Err(panic)) => panic!("{panic}"),
                Ok(Ok(said)) => said,
            };
            self.due = u64::MAX;
            self.running = None;
            return said;
        }
        if actions < self.due {
            return None;
        }
        if self.is_apart {
            self.begin(pristine);
            return None;
        }
        self.due = actions.saturating_mul(GROWTH);
        let end = AtomicBool::new(false);
        let mut turn = Turn { shared: &self.shared, end: &end, left: Some(actions), found: false, doubts: false };
        match turn.explore(pristine, &self.options) {
            Ok(answer) => answer,
            Err(TooMany) => {
                self.due = u64::MAX;
                None
            }
        }
    }

    /// Begins on a thread of its own.
    fn begin(&mut self, pristine: &Machine) {
        let end = Arc::new(AtomicBool::new(false));
        let (pristine, options, shared) = (pristine.clone(), self.options.clone(), Arc::clone(&self.shared));
        let theirs = Arc::clone(&end);
        let started = start(move || {
            let mut turn = Turn { shared: &shared, end: &theirs, left: None, found: false, doubts: false };
            turn.explore(&pristine, &options).unwrap_or(None)
        });
        // (Where there can be no other thread, the other engine goes on alone.)
        self.due = u64::MAX;
        if let Ok(result) = started {
            self.has_run = true;
            self.running = Some(Running { end, result });
        }
    }

    /// The other engine has found something, so no answer is needed.
    pub(super) fn end(&mut self) {
        self.running = None;
        self.due = u64::MAX;
    }

    /// The other engine begins with another layout of memory. What was explored so far says nothing of that.
    pub(super) fn begin_anew(&mut self) {
        if self.is_apart {
            self.running = None;
            self.due = FIRST;
        }
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

/// There are more states than can be kept.
struct TooMany;

/// Listens in a turn.
struct Turn<'a> {
    shared: &'a Shared,
    /// Set from outside: it is over.
    end: &'a AtomicBool,
    /// Actions that it may take; none: as many as it likes, beside another thread.
    left: Option<u64>,
    found: bool,
    doubts: bool,
}

impl Turn<'_> {
    /// Explores, again and again with what was learned.
    fn explore(&mut self, pristine: &Machine, options: &Options) -> Result<Option<Answer>, TooMany> {
        let mut machine = pristine.clone();
        for _ in 0..MOST_STARTS {
            (self.found, self.doubts) = (false, false);
            let (outcome, counters) = por::explore(&mut machine, options, self);
            let Turn { found, doubts, .. } = *self;
            tracing::debug!(
                ?outcome,
                found,
                doubts,
                states = counters.states,
                steps = counters.steps,
                "states had a turn"
            );
            match outcome {
                Outcome::Complete if !found && !doubts => return Ok(Some(Answer::Safe(Box::new((machine, counters))))),
                Outcome::Stopped if found => return Ok(Some(Answer::Bug)),
                Outcome::Restart if self.left.is_none_or(|left| counters.steps < left) => {
                    self.left = self.left.map(|left| left - counters.steps);
                    let mut next = pristine.clone();
                    next.learn_from(&machine);
                    machine = next;
                }
                Outcome::StateLimit => return Err(TooMany),
                _ => return Ok(None),
            }
        }
        Ok(None)
    }
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
        if self.left.is_some() {
            self.shared.depth.store(counters.depth, Ordering::Relaxed);
            self.shared.change(|findings| {
                let por::Statistics { states, events, .. } = *counters;
                findings.statistics = Statistics { states, events, ..findings.statistics };
            });
        }
        let ends = self.end.load(Ordering::Relaxed) || self.shared.stop.load(Ordering::Relaxed);
        let stops = ends || self.left.is_some_and(|left| counters.steps >= left);
        if stops { Flow::Stop } else { Flow::Continue }
    }
}
