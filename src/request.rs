//! What a run is asked to do, as plain data. [`crate::cli`] makes it of what was typed; driver and reports know nothing
//! else of the command line.
use crate::config::suppress::Suppression;
use crate::driver::checkpoint::Plan;
use crate::report::coverage::CoverageFormat;
use crate::report::style::Style;
use crate::report::text::Detail;
use crate::report::{FailOn, Format};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// Everything that a run needs to know.
#[derive(Clone, Debug)]
pub(crate) struct Request {
    /// The files of the program.
    pub inputs: Vec<PathBuf>,
    /// How they are compiled and read.
    pub loading: frontend::Options,
    /// How the program runs.
    pub machine: interp::Options,
    /// The setting that says which kinds of bugs are looked for, if it was not the command line.
    pub checks_set_by: Option<String>,
    /// How schedules are picked.
    pub exploration: por::Options,
    /// The engine is ours to choose.
    pub any_engine: bool,
    /// How many workers there may be.
    pub workers: Workers,
    /// Other engines may explore beside the one that is asked for.
    pub others_beside: bool,
    /// How many layouts of memory are explored.
    pub layouts: u32,
    /// When schedules are sampled.
    pub hunt: Hunt,
    /// What happens after a bug.
    pub after_bug: AfterBug,
    /// Whose rules say what the program means and what is wrong.
    pub rules: Rules,
    /// When to give up.
    pub limits: Limits,
    /// What is shown instead of exploring, if anything.
    pub prints: Option<Prints>,
    /// How the result is written.
    pub output: Output,
    /// Where what is needed to go on is written, if anywhere.
    pub checkpoint: Option<Plan>,
    /// Files that it is written to as well.
    pub reports: Vec<(Format, PathBuf)>,
    /// Files that say which code was reached.
    pub coverage: Vec<(CoverageFormat, PathBuf)>,
    /// Which verdicts make the exit code another one than 0.
    pub fail_on: FailOn,
    /// Bugs that are not to be reported.
    pub suppressions: Arc<[Suppression]>,
    /// The certificate of a "safe", if one is wanted.
    pub certify: Option<Certify>,
    /// Where violations are saved, to be shown again.
    pub save_trace: Option<SaveTrace>,
}

/// How many workers there may be, each on a processor of its own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Workers {
    /// At most.
    pub most: usize,
    /// When others than the first one begin.
    pub patience: Patience,
    /// The user has said how many: why there are fewer is to be told.
    pub is_asked: bool,
}

impl Workers {
    /// One.
    pub(crate) const ONE: Workers = Workers { most: 1, patience: Patience::Moment, is_asked: false };
}

/// When other workers come to help the first one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Patience {
    /// At once.
    None,
    /// After a moment: most programs are explored by then.
    Moment,
    /// When the user begins to wait.
    Long,
}

/// Which schedules are sampled, to find bugs first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Hunt {
    /// When.
    pub hunting: Hunting,
    /// So many before the proof, or without one.
    pub samples: Option<u64>,
    /// What the random numbers begin with.
    pub seed: u64,
    /// An "unknown" that limits are the reason for is good enough if all schedules with at most so many preemptions
    /// were taken.
    pub preemptions: Option<u32>,
}

/// When schedules are sampled.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Hunting {
    /// Never.
    Off,
    /// Beside the proof, if that takes long.
    Beside,
    /// For so long before the proof, and beside it.
    First(Duration),
    /// There is no proof.
    Only,
}

/// What is shown of a program instead of exploring it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Prints {
    /// Its code.
    Code,
    /// The functions that it may call and does not define.
    Undefined,
    /// Which loops wait.
    Loops,
}

/// A trace that is to be saved.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct SaveTrace {
    /// Where.
    pub file: PathBuf,
    /// The command line, without the program's name.
    pub command_line: Vec<String>,
}

/// A certificate that is to be written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Certify {
    /// Where.
    pub file: PathBuf,
    /// If there are no more states than these.
    pub most_states: u32,
}

/// Whose rules hold.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Rules {
    /// Those of C and of the libraries.
    Usual,
    /// Those of the competition SV-COMP: this is what must not happen, and `main` is called with any arguments.
    Competition(runtime_model::Forbidden),
}

/// What happens after a bug was found.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) enum AfterBug {
    /// Report it.
    Stop,
    /// Look for a shorter way to it, first.
    Shorten(Effort),
    /// Look for others.
    KeepGoing,
}

/// How long a shorter way to a bug is looked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) enum Effort {
    /// For so many executions.
    Executions(u32),
    /// Until everything is explored.
    All,
}

/// Limits that are measured from outside the exploration.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Limits {
    /// Since the program started.
    pub time: Option<Duration>,
    /// Of all processors together, clang included.
    pub cpu: Option<Duration>,
    /// Bytes in use.
    pub memory: Option<u64>,
}

/// How results and progress are shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Output {
    /// What standard output gets.
    pub format: Format,
    /// How text on standard output looks.
    pub style: Style,
    /// Colours for messages on standard error.
    pub error_style: Style,
    /// How much is said.
    pub detail: Detail,
    /// Show where the time goes.
    pub statistics: bool,
    /// Show what the program prints.
    pub program_output: bool,
}

/// A mistake in how the program was called.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct UsageError {
    /// What is wrong.
    pub message: String,
    /// What to do instead.
    pub hint: String,
}
