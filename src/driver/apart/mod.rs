//! One exploration by several processes, on one machine or many, which have nothing in common but files: `verify
//! coordinate` and `verify work`. docs/cluster.md describes them.
//!
//! The *coordinator* executes nothing. It divides the exploration ([`por::jobs::Coordinator`]) into jobs, and puts what
//! comes of them together. A *worker* does one job, and knows nothing of the others.
//!
//! **Numbers and addresses** that a machine gives out once and for all must be the same for all workers
//! ([`interp::Machine::numbering`]). Each job comes with those that the coordinator knows, of which there are versions.
//! A worker that has given out others says so, and the coordinator takes these over if it has heard of no others since
//! it made the job. Else what came of the job is forgotten, and the job is done again, with what is known now. Programs
//! give out most of theirs in their first executions, and the first jobs are short.
//!
//! **What is learned** (memory that races, say) starts the exploration again, for all: jobs have the number of their
//! *start*, and what comes of those of an earlier one is forgotten.
//!
//! All that a coordinator decides follows from what it is told and in which order. That stands in a *journal*, from
//! which another coordinator goes on.
mod collected;
mod coordinate;
mod files;
mod journal;
mod pace;
mod state;
mod work;

pub(crate) use coordinate::{Plan, coordinate};
pub(crate) use work::{Worked, work};

use super::checkpoint::Bug;
use super::replay::Recording;
use super::suppression::Met;
use super::wanted::Wanted;
use crate::report::{Reason, Suppressed};
use frontend::ir::Module;
use por::ThreadId;
use por::jobs::{Done, Task};
use serde::{Deserialize, Serialize};

/// What all jobs of an exploration have in common.
#[derive(Serialize, Deserialize)]
struct Program {
    module: Module,
    machine: interp::Options,
    reduction: por::Reduction,
    max_depth: u64,
    wanted: Wanted,
}

impl Program {
    /// How it is explored.
    fn exploration(&self) -> por::Options {
        por::Options { engine: por::Engine::Dpor(self.reduction), max_depth: self.max_depth, ..por::Options::default() }
    }
}

/// Which job: what comes of it says so.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
struct Ticket {
    /// Its number, which is the name of its file.
    number: u64,
    /// How often the exploration had started again when it was made.
    start: u64,
    /// The version of the numbering that it comes with.
    version: u64,
}

/// What a worker is to do.
#[derive(Serialize, Deserialize)]
struct Job {
    ticket: Ticket,
    context: Context,
    /// How long it takes, in milliseconds, if there is more to do.
    budget: u64,
    task: Task,
}

/// What a machine is told before it starts.
#[derive(Clone, Serialize, Deserialize)]
enum Context {
    /// Nothing was explored since the exploration has started: what was learned before.
    Start(Facts),
    /// What another machine has gathered, see [`interp::Machine::gathered`].
    Gathered(Vec<u8>),
}

/// What was learned by explorations that had to start again.
#[derive(Clone, Default, Serialize, Deserialize)]
struct Facts {
    /// Parent and place of threads 1, 2, …
    threads: Vec<(ThreadId, u32)>,
    /// See [`interp::Machine::facts`]; nothing was learned: none.
    facts: Vec<u8>,
    /// Places that are promoted.
    promoted: u64,
}

/// What came of a job.
#[derive(Serialize, Deserialize)]
struct Product {
    ticket: Ticket,
    ended: Ended,
    statistics: por::Statistics,
    instructions: u64,
    seconds: f64,
    bugs: Vec<Bug>,
    recordings: Vec<Recording>,
    /// There are others, which nobody asked for.
    others: bool,
    reasons: Vec<Reason>,
    suppressed: Vec<Suppressed>,
    met: Met,
    assumptions: Vec<String>,
    /// What the machine has gathered, if it has given out numbers or addresses that it was not told.
    gathered: Option<Vec<u8>>,
}

/// How a job ended.
#[derive(Serialize, Deserialize)]
enum Ended {
    /// It was done, or a part of it.
    Done(Done),
    /// A bug is enough.
    Found,
    /// The exploration has to start again, with this.
    Restart(Facts),
    /// Nobody else can help: for this reason.
    Alone(String),
    /// It cannot be done: for this reason.
    Never(Reason),
}
