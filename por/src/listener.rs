//! Who is told what an exploration finds.
use crate::Outcome;
use crate::statistics::{Phase, Statistics};
use crate::system::{Ending, Move, ObjectId, System};
use crate::unfolding::Prefix;
use std::any::Any;

/// Whether to go on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Flow {
    /// Go on.
    Continue,
    /// End the exploration here.
    Stop,
}

impl Flow {
    /// An error if it ends here, for `?`.
    pub(crate) fn go_on(self) -> Result<(), Outcome> {
        match self {
            Flow::Continue => Ok(()),
            Flow::Stop => Err(Outcome::Stopped),
        }
    }
}

/// Work that a listener leaves to the worker that tells it something, so that no other one waits for the listener
/// meanwhile; then the listener hears what came of it ([`Listener::hear`]).
pub struct Errand(Box<dyn FnOnce() -> Box<dyn Any>>);

impl Errand {
    /// To do this.
    pub fn new<T: Any>(work: impl FnOnce() -> T + 'static) -> Self {
        Errand(Box::new(|| Box::new(work())))
    }

    pub(crate) fn run(self) -> Box<dyn Any> {
        (self.0)()
    }
}

/// Receives what the exploration finds. All methods have a default that goes on.
pub trait Listener<S: System> {
    /// A maximal configuration was reached; the system stands in its final state.
    fn execution(&mut self, system: &S, ending: Ending, schedule: &[Move]) -> Flow {
        let _ = (system, ending, schedule);
        Flow::Continue
    }

    /// Whether [`Listener::execution`] looks at the system and the schedule. If it does not, the system may stand
    /// elsewhere then, and the schedule may be missing.
    fn looks_at_states(&self) -> bool {
        true
    }

    /// A violation, with a schedule that leads to it: the causal past of the fault and of what it involves, in an order
    /// in which it can be executed.
    fn violation(&mut self, fault: S::Fault, schedule: Vec<Move>) -> Flow {
        let _ = (fault, schedule);
        Flow::Stop
    }

    /// Something was met that is not modelled, or a limit of the system; a "safe" is no longer possible.
    fn unknown(&mut self, reason: String) -> Flow {
        let _ = reason;
        Flow::Continue
    }

    /// Called now and then (every few thousand steps), for progress, time and memory limits and interrupts.
    fn poll(&mut self, system: &S, statistics: &Statistics) -> Flow {
        let _ = (system, statistics);
        Flow::Continue
    }

    /// As [`Listener::poll`], of one worker among several: the others cannot tell the listener anything meanwhile, so
    /// what takes long is better left as an errand. Its report is heard whether or not the exploration is over by then.
    fn poll_among_others(&mut self, system: &S, statistics: &Statistics) -> (Flow, Option<Errand>) {
        (self.poll(system, statistics), None)
    }

    /// What came of an errand; `flow` says whether the exploration goes on. (A listener that leaves errands, or passes
    /// on those of another one, hears, or passes on, what came of them.)
    fn hear(&mut self, report: Box<dyn Any>, flow: Flow) -> Flow {
        let _ = report;
        flow
    }

    /// Asked between executions: whether to be given a [`Listener::checkpoint`] now. (Engine `unfolding` only.)
    fn wants_checkpoint(&mut self) -> bool {
        false
    }

    /// What [`resume`] goes on from, with a system that knows what this one has learned. The system stands somewhere in
    /// the middle of an execution.
    fn checkpoint(&mut self, system: &S, exploration: Vec<u8>) -> Flow {
        let _ = (system, exploration);
        Flow::Continue
    }

    /// The exploration goes on from a checkpoint; the system has executed some actions again to get there.
    fn restored(&mut self, system: &mut S) {
        let _ = system;
    }

    /// At the end of an exploration with [`Options::prefix`], however it ended: the events executed, unless there are
    /// more. (One that went on from a checkpoint knows of those since then only.)
    fn prefix(&mut self, prefix: Option<Prefix>) {
        let _ = prefix;
    }

    /// Whether [`Listener::phase`] and [`Listener::another_order`] do anything: else they may be left out.
    fn wants_phases(&self) -> bool {
        false
    }

    /// Something is to be explored in which two actions on this object come in another order, or in which a choice is
    /// another one. The system stands in a state that has that object.
    fn another_order(&mut self, system: &S, object: Option<ObjectId>) {
        let _ = (system, object);
    }

    /// The engine begins with something else. Called several times for each event: it must cost next to nothing, and
    /// where it is left out, it costs nothing at all.
    fn phase(&mut self, phase: Phase) {
        let _ = phase;
    }
}

/// A listener that an engine tells what it finds. It is of one type, whoever listens, so that there is one copy of each
/// engine for a system.
pub(crate) struct Told<'a, S: System> {
    listener: &'a mut dyn Listener<S>,
    /// Whether phases are told at all.
    phases: bool,
}

impl<'a, S: System> Told<'a, S> {
    pub(crate) fn new(listener: &'a mut dyn Listener<S>) -> Self {
        let phases = listener.wants_phases();
        Told { listener, phases }
    }
}

impl<S: System> Listener<S> for Told<'_, S> {
    fn execution(&mut self, system: &S, ending: Ending, schedule: &[Move]) -> Flow {
        self.listener.execution(system, ending, schedule)
    }

    fn looks_at_states(&self) -> bool {
        self.listener.looks_at_states()
    }

    fn violation(&mut self, fault: S::Fault, schedule: Vec<Move>) -> Flow {
        self.listener.violation(fault, schedule)
    }

    fn unknown(&mut self, reason: String) -> Flow {
        self.listener.unknown(reason)
    }

    fn poll(&mut self, system: &S, statistics: &Statistics) -> Flow {
        self.listener.poll(system, statistics)
    }

    fn poll_among_others(&mut self, system: &S, statistics: &Statistics) -> (Flow, Option<Errand>) {
        self.listener.poll_among_others(system, statistics)
    }

    fn hear(&mut self, report: Box<dyn Any>, flow: Flow) -> Flow {
        self.listener.hear(report, flow)
    }

    fn wants_checkpoint(&mut self) -> bool {
        self.listener.wants_checkpoint()
    }

    fn checkpoint(&mut self, system: &S, exploration: Vec<u8>) -> Flow {
        self.listener.checkpoint(system, exploration)
    }

    fn restored(&mut self, system: &mut S) {
        self.listener.restored(system);
    }

    fn prefix(&mut self, prefix: Option<Prefix>) {
        self.listener.prefix(prefix);
    }

    fn wants_phases(&self) -> bool {
        self.phases
    }

    fn another_order(&mut self, system: &S, object: Option<ObjectId>) {
        self.listener.another_order(system, object);
    }

    fn phase(&mut self, phase: Phase) {
        if self.phases {
            self.listener.phase(phase);
        }
    }
}
