//! Faults of the program under test: plain data, with everything that a report needs.
use crate::race::RaceLocation;
use crate::symbolic::{InputValue, is_decision};
use frontend::ir::{FuncId, LocId};
use por::{Move, ThreadId};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

/// What is wrong. The names are those of the command line, of JSON and of the test headers.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum Kind {
    /// A failed `assert`, or `reach_error`.
    Assertion,
    /// `abort`, a trap, or an uncaught end by a signal.
    Abort,
    /// Two conflicting accesses that nothing orders.
    DataRace,
    /// Threads wait for one another for ever.
    Deadlock,
    /// Threads spin for ever on something that no thread is left to change.
    Livelock,
    /// A thread runs in a loop for ever without any visible action.
    EndlessLoop,
    /// Out of bounds, use after free or return, double or invalid free, null, …
    Memory,
    /// A decision depends on memory that was never written.
    Uninitialised,
    /// Memory that can no longer be freed.
    Leak,
    /// Signed overflow, bad shift, division by zero.
    Overflow,
    /// An API used against its rules.
    Misuse,
}

impl Kind {
    /// All kinds, in the order of the documentation.
    pub const ALL: [Kind; 11] = [
        Kind::Assertion,
        Kind::Abort,
        Kind::DataRace,
        Kind::Deadlock,
        Kind::Livelock,
        Kind::EndlessLoop,
        Kind::Memory,
        Kind::Uninitialised,
        Kind::Leak,
        Kind::Overflow,
        Kind::Misuse,
    ];

    /// The name used everywhere.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Assertion => "assertion",
            Kind::Abort => "abort",
            Kind::DataRace => "data-race",
            Kind::Deadlock => "deadlock",
            Kind::Livelock => "livelock",
            Kind::EndlessLoop => "endless-loop",
            Kind::Memory => "memory",
            Kind::Uninitialised => "uninitialised",
            Kind::Leak => "leak",
            Kind::Overflow => "overflow",
            Kind::Misuse => "misuse",
        }
    }
}

/// Which rule of memory a fault of [`Kind::Memory`] breaks.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum MemoryRule {
    /// What is read, written or copied must be there, alive and large enough (`valid-deref` of SV-COMP).
    Access,
    /// What is freed or reallocated must be the start of a live heap block (`valid-free`).
    Free,
}

/// One frame of a call stack, innermost first in lists.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct StackFrame {
    /// The function.
    pub function: FuncId,
    /// Where in it.
    pub location: LocId,
}

/// Something else that belongs to the fault: the other access of a race, where memory was allocated or freed, which
/// thread holds a lock, what each deadlocked thread waits for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Related {
    /// Says what it is: "allocated here", "conflicting write by thread 2", "waits for mutex `m`, held by thread 1".
    pub message: String,
    /// The thread concerned.
    pub thread: Option<ThreadId>,
    /// How many events of that thread came before, if it happened at some time.
    pub event: Option<u32>,
    /// Where, innermost first.
    pub stack: Vec<StackFrame>,
}

/// A violation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fault {
    /// What is wrong.
    pub kind: Kind,
    /// One sentence, without the place.
    pub message: String,
    /// The thread that did it (for a deadlock: one of those that wait).
    pub thread: ThreadId,
    /// Where, innermost first.
    pub stack: Vec<StackFrame>,
    /// What else belongs to it.
    pub related: Vec<Related>,
    /// The stack of every other thread that was alive.
    pub others: Vec<(ThreadId, Vec<StackFrame>)>,
    /// Events of other threads without which the fault is not seen: (thread, number of its events). See
    /// [`por::System::involved`].
    pub involved: Vec<(ThreadId, u32)>,
    /// The place that races, if the fault is a data race, or would be one in another order of the same accesses.
    pub raced: Option<RaceLocation>,
    /// If it is of kind `memory`: which rule it breaks, if it is one of these. If it is a data race with the end of a
    /// variable's life: that of accesses, which the other access breaks in another order.
    pub rule: Option<MemoryRule>,
    /// It happened after the end of the process: it counts only if its own causal past does not contain that end.
    pub after_end: bool,
    /// The thread that ends the process, if the fault shows when it does so. No other action depends on that end, so it
    /// can be the last step of the schedule. (`None` if the process ends because all threads have ended.)
    pub at_end: Option<ThreadId>,
    /// Inputs that lead to it, where inputs may be anything. Those that are not mentioned may be 0.
    pub inputs: Option<Vec<InputValue>>,
    /// Moves of the schedule that are none with these inputs, by thread and number among its moves from 1 on:
    /// compare-exchanges before which their threads had to decide first.
    pub looks: Vec<(ThreadId, u32)>,
    /// Ends of threads and joins are no moves of the schedule that leads to it.
    pub merges_ends: bool,
    /// Moves that are turns in which threads poll in vain, by thread and number among its moves from 1 on: nobody needs
    /// these.
    pub in_vain: Vec<(ThreadId, u32)>,
    /// In which order address space was given out to threads: see [`crate::Machine::give_out`].
    pub given_out: Vec<(u32, u32, u64)>,
}

impl Fault {
    /// The moves of a schedule that leads to the fault without those in which threads poll in vain. (Some of these may
    /// not be among them.)
    pub(crate) fn without_polls(&self, schedule: &[Move]) -> Vec<Move> {
        numbered(schedule).filter(|(_, number)| !self.in_vain.contains(number)).map(|(step, _)| step).collect()
    }

    /// The moves of a schedule that leads to the fault as a machine takes them that is given its inputs.
    pub fn without_decisions(&self, schedule: &[Move]) -> Vec<Move> {
        let counts = |step: &Move, number| !is_decision(step.label) && !self.looks.contains(&number);
        numbered(schedule).filter(|&(step, number)| counts(&step, number)).map(|(step, _)| step).collect()
    }
}

/// The moves of a schedule, each with its thread and its number among the moves of that, from 1 on.
fn numbered(schedule: &[Move]) -> impl Iterator<Item = (Move, (ThreadId, u32))> {
    let mut moves: FxHashMap<ThreadId, u32> = FxHashMap::default();
    schedule.iter().map(move |step| {
        let number = moves.entry(step.thread).or_default();
        *number += 1;
        (*step, (step.thread, *number))
    })
}
