//! The result of a run as plain data, and the formats in which it is written.
//!
//! The data knows neither the machine nor the engines; a format is a file of its own that turns it into text.
//!
//! One file: the parts of the data are small, and each format needs most of them.
pub(crate) mod case;
pub(crate) mod columns;
pub(crate) mod coverage;
pub(crate) mod diagram;
pub(crate) mod dot;
pub(crate) mod excerpt;
mod format;
pub(crate) mod github;
pub(crate) mod given;
pub(crate) mod html;
pub(crate) mod json;
pub(crate) mod jsonl;
pub(crate) mod junit;
pub(crate) mod printable;
pub(crate) mod rules;
pub(crate) mod sarif;
pub(crate) mod schedule;
pub(crate) mod style;
pub(crate) mod svg;
pub(crate) mod text;
pub(crate) mod transfer;
pub(crate) mod unfolding;

#[cfg(test)]
pub(crate) mod samples;

pub(crate) use coverage::Sampling;
pub(crate) use format::Format;

use interp::fault::{Kind, MemoryRule};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// How reports are written.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Layout<'a> {
    /// The files of the program.
    pub inputs: &'a [String],
    /// Width and colours of text.
    pub style: style::Style,
    /// How much text says.
    pub detail: text::Detail,
    /// What counts as a failure.
    pub fail_on: FailOn,
}

/// Writes the result of one program: a case, and the report in it.
pub(crate) fn write(case: &case::Case, report: &Report, format: Format, layout: &Layout<'_>) -> String {
    let cases = std::slice::from_ref(case);
    match format {
        Format::Text => text::write(report, layout.style, layout.detail),
        Format::Json => json::write(report),
        Format::Jsonl => jsonl::write(layout.inputs, report),
        Format::Sarif => sarif::write(cases),
        Format::Junit => junit::write(cases, layout.fail_on),
        Format::Github => github::write(cases),
        Format::Html => html::write(layout.inputs, report),
        Format::Dot => dot::write(report),
        Format::Svg => svg::write(report),
        Format::Unfolding => unfolding::write(report),
        Format::Transfer => transfer::write(report),
    }
}

/// The result of a run.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Report {
    /// The answer.
    pub verdict: Verdict,
    /// Why not everything was explored, the first reason first. Never empty with [`Verdict::Unknown`], always empty
    /// with [`Verdict::Safe`].
    pub reasons: Vec<Reason>,
    /// Whether there may be more bugs, because the exploration ended at the first one, or looked only at that one.
    pub stopped_early: bool,
    /// The file from which the exploration can go on.
    pub checkpoint: Option<String>,
    /// What to type where the verdict is unknown because something is not known of the program.
    pub advice: Vec<String>,
    /// What a "safe" rests on, as far as the program exercised it; names with dashes, sorted.
    pub assumptions: Vec<String>,
    /// The kinds of bugs that are usually looked for and were not, if there are any.
    pub narrowed: Option<Narrowed>,
    /// Each distinct bug once, in the order in which they were found.
    pub violations: Vec<Violation>,
    /// Bugs that were found and that `verify.toml` says not to report; the verdict does not count them.
    pub suppressed: Vec<Suppressed>,
    /// What samples of schedules have shown, if any were taken.
    pub sampling: Option<Sampling>,
    /// Which code was reached, if that was asked for.
    pub code: Option<coverage::Code>,
    /// What was taken is good enough, though the verdict is "unknown".
    pub is_accepted: bool,
    /// Counters and measurements.
    pub statistics: Statistics,
    /// More counters and measurements, if they were asked for.
    #[serde(skip)]
    pub profile: Option<Profile>,
    /// The engine that has explored the program last.
    pub answered: Option<Answering>,
    /// The certificate, if one was asked for and the program is safe; else why there is none.
    pub certificate: Option<Result<Written, String>>,
    /// What was explored, if it was asked for; else why it cannot be shown.
    pub unfolding: Option<Result<Unfolding, String>>,
}

/// The engine that an answer is from.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct Answering {
    /// Its name, as for `--engine`.
    pub engine: String,
    /// It is the one that was asked for, or that explores such programs unless another one ends first.
    pub is_usual: bool,
    /// How many workers it has had.
    pub workers: usize,
    /// Why it has had only one, if more were asked for.
    pub alone: Option<String>,
}

/// A certificate of a "safe" that was written.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct Written {
    /// Where.
    pub file: String,
    /// How many states it has.
    pub states: u64,
    /// Its size.
    pub bytes: u64,
}

/// Only bugs of some kinds were looked for.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct Narrowed {
    /// The kinds that were looked for.
    pub looked_for: Vec<Kind>,
    /// The kinds that were not looked for.
    pub left_out: Vec<Kind>,
    /// The setting that says so, if it was not the command line.
    pub origin: Option<String>,
}

impl Narrowed {
    /// A few words: the shorter of the two lists.
    pub(crate) fn text(&self) -> String {
        let names = |kinds: &[Kind]| kinds.iter().map(|kind| kind.name()).collect::<Vec<_>>().join(", ");
        let origin = self.origin.as_ref().map(|origin| format!(" ({origin})")).unwrap_or_default();
        match self.looked_for.len() <= self.left_out.len() {
            true => format!("looked for: {}{origin}", names(&self.looked_for)),
            false => format!("not looked for: {}{origin}", names(&self.left_out)),
        }
    }
}

impl Report {
    /// All that a "safe" rests on, including the kinds that were not looked for.
    pub(crate) fn all_assumptions(&self) -> Vec<String> {
        let left_out = self.narrowed.iter().map(|narrowed| {
            let names: Vec<&str> = narrowed.left_out.iter().map(|kind| kind.name()).collect();
            format!("not-looked-for: {}", names.join(", "))
        });
        let mut all: Vec<String> = self.assumptions.iter().cloned().chain(left_out).collect();
        all.sort();
        all
    }
}

/// The answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) enum Verdict {
    /// Every schedule was explored and none is wrong.
    Safe,
    /// There is a bug.
    Unsafe,
    /// No bug was found, but not everything was explored.
    Unknown,
}

impl Verdict {
    /// The name in JSON.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Verdict::Safe => "safe",
            Verdict::Unsafe => "unsafe",
            Verdict::Unknown => "unknown",
        }
    }
}

/// The verdicts with which the exit code is not 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct FailOn {
    /// A bug.
    pub violation: bool,
    /// No answer.
    pub unknown: bool,
}

impl FailOn {
    /// Whether anything is a failure.
    pub(crate) fn any(self) -> bool {
        self.violation || self.unknown
    }
}

impl Default for FailOn {
    fn default() -> Self {
        FailOn { violation: true, unknown: true }
    }
}

/// Why there is no verdict.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub(crate) enum Reason {
    /// `--time-limit`.
    TimeLimit(Duration),
    /// `--cpu-limit`.
    CpuLimit(Duration),
    /// `--memory-limit`, in bytes.
    MemoryLimit(u64),
    /// `--max-executions`.
    ExecutionLimit(u64),
    /// `--hunt only`, with so many samples.
    OnlySampled(u64),
    /// A signal.
    Interrupted,
    /// The program does something that is not modelled, or a limit of the machine was reached.
    Program(String),
    /// A fault of this tool.
    Internal(String),
}

impl std::fmt::Display for Reason {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        use crate::units::{show_bytes, show_count, show_duration};
        match self {
            Reason::TimeLimit(limit) => write!(f, "time limit of {} reached", show_duration(*limit)),
            Reason::CpuLimit(limit) => write!(f, "limit of {} of processor time reached", show_duration(*limit)),
            Reason::MemoryLimit(limit) => write!(f, "memory limit of {} reached", show_bytes(*limit)),
            Reason::ExecutionLimit(1) => write!(f, "limit of 1 execution reached"),
            Reason::ExecutionLimit(limit) => write!(f, "limit of {} executions reached", show_count(*limit)),
            Reason::OnlySampled(count) => write!(f, "only {} of schedules were taken", text::counted(*count, "sample")),
            Reason::Interrupted => write!(f, "interrupted"),
            Reason::Program(reason) => write!(f, "{}", printable::printable(reason)),
            Reason::Internal(reason) => write!(f, "internal error: {reason}"),
        }
    }
}

impl Reason {
    /// What the user can do about it.
    pub(crate) fn hint(&self) -> Option<&'static str> {
        match self {
            Reason::TimeLimit(_) => Some("raise --time-limit, or make the program smaller (fewer threads or rounds)"),
            Reason::CpuLimit(_) => Some("raise --cpu-limit, or make the program smaller (fewer threads or rounds)"),
            Reason::MemoryLimit(_) => Some(
                "raise --memory-limit, or make the program smaller (fewer threads or rounds); with --engine states, \
                     --state-bits 64 keeps two thirds more states",
            ),
            Reason::ExecutionLimit(_) => Some("raise --max-executions, or leave it out"),
            Reason::OnlySampled(_) => Some("leave out --hunt only for a proof"),
            Reason::Interrupted | Reason::Program(_) => None,
            Reason::Internal(_) => Some("this is a fault of verify, not of your program; please report it"),
        }
    }
}

/// A bug.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Violation {
    /// What is wrong.
    #[serde(with = "transfer::kind")]
    pub kind: Kind,
    /// Which rule of memory is broken, if it is a matter of memory.
    #[serde(skip)]
    pub rule: Option<MemoryRule>,
    /// Whether it may be due to memory that was never written, which counts as any value.
    #[serde(skip)]
    pub rests_on_unwritten: bool,
    /// One sentence, without the place.
    pub message: String,
    /// Where, if known.
    pub place: Option<Place>,
    /// The thread that stands there.
    pub thread: Thread,
    /// Other facts that belong to the bug: the other access of a race, where memory was freed, which thread waits for
    /// which.
    pub related: Vec<Related>,
    /// The stacks of all threads that were alive, the faulty one first.
    pub stacks: Vec<Stack>,
    /// The schedule that leads there.
    pub trace: Vec<Step>,
    /// What it is given from outside there, where that may be anything.
    pub given: Option<given::Given>,
    /// What the program had printed by then, when that was asked for.
    pub output: Option<String>,
    /// The command that shows it again, if its schedule was saved.
    pub replay: Option<String>,
}

/// A bug that is not to be reported.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct Suppressed {
    /// Which suppression says so, by its place in `verify.toml`.
    pub suppression: usize,
    /// What is wrong.
    #[serde(with = "transfer::kind")]
    pub kind: Kind,
    /// One sentence, without the place.
    pub message: String,
    /// Where, if known.
    pub place: Option<Place>,
    /// Why it is not to be reported.
    pub reason: String,
}

/// A thread as reports name it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct Thread {
    /// Its number; 0 is main.
    pub number: u32,
    /// Number and function, such as `thread 1 (worker)`.
    pub name: String,
    /// The function that it runs, if known.
    pub routine: Option<String>,
}

/// A place in the source.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub(crate) struct Place {
    /// The file as the compiler recorded it.
    pub file: String,
    /// From 1.
    pub line: u32,
    /// From 1; 0 if unknown.
    pub column: u32,
    /// The function it belongs to.
    pub function: String,
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}", self.file, self.line)?;
        if self.column != 0 {
            write!(f, ":{}", self.column)?;
        }
        Ok(())
    }
}

/// Something else that belongs to a violation.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Related {
    /// What it is.
    pub message: String,
    /// The thread concerned, if any.
    pub thread: Option<Thread>,
    /// How many steps of that thread came before, if it happened at some time.
    pub steps: Option<u32>,
    /// Where, if known.
    pub place: Option<Place>,
    /// How the thread came there, innermost first.
    pub frames: Vec<Frame>,
    /// The threads that would have to do something for this one to go on, if it is blocked.
    pub waits_for: Vec<Thread>,
}

/// The call stack of a thread, innermost first.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Stack {
    /// The thread of the stack.
    pub thread: Thread,
    /// The calls; a frame without a known place still has its function's name.
    pub frames: Vec<Frame>,
}

/// One call on a stack.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub(crate) struct Frame {
    /// The function.
    pub function: String,
    /// Where in it, if known.
    pub place: Option<Place>,
}

/// One step of a schedule.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct Step {
    /// The thread that moves.
    pub thread: Thread,
    /// What it does, such as ``locks mutex `m` ``.
    pub action: String,
    /// The library function called by the program that does so, if it is code of the library's own.
    pub library: Option<String>,
    /// Where, if known.
    pub place: Option<Place>,
    /// The result of the step, such as `reads 3`.
    pub value: Option<String>,
    /// The memory that it reads or writes, if it is an access.
    pub access: Option<Access>,
    /// What else it does.
    pub effect: Effect,
    /// The locks that the thread holds after the step.
    pub holds: Vec<String>,
    /// The earlier steps that it directly depends on, by their places in the schedule. `None` if that was not worked
    /// out.
    pub after: Option<Vec<usize>>,
}

impl Step {
    /// What it does, and what came of it.
    pub(crate) fn sentence(&self) -> String {
        let value = self.value.as_ref().map(|value| format!(", {value}")).unwrap_or_default();
        format!("{}{value}", self.action)
    }

    /// The steps that it is known to depend on.
    pub(crate) fn causes(&self) -> &[usize] {
        self.after.as_deref().unwrap_or_default()
    }
}

/// What a step does to memory.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct Access {
    /// The name of the place.
    pub variable: String,
    /// What was read, if that is known.
    pub read: Option<u128>,
    /// What was written.
    pub written: Option<u128>,
}

/// What a step means for an execution, apart from the memory that it reads and writes.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) enum Effect {
    /// Nothing.
    None,
    /// The step creates this thread.
    Creates(Thread),
    /// The thread that moves ends.
    Ends,
    /// From now on, the thread that moves waits on a condition variable.
    Waits,
    /// These no longer wait on a condition variable.
    Wakes(Vec<Thread>),
    /// A `__VERIFIER_nondet_` function returns this.
    Chooses {
        /// The value, as the program's type has it.
        value: i128,
        /// Whether the value matters, if that is known; if it does not matter, it could be anything.
        matters: Option<bool>,
    },
}

/// The events that were explored, each once, causes before effects.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct Unfolding {
    /// All events. Other data names events by their places in this list.
    pub events: Vec<Event>,
    /// The pairs in immediate conflict.
    pub conflicts: Vec<(usize, usize)>,
}

impl Unfolding {
    /// How many events are shown at most: larger pictures are of no use.
    pub(crate) const MOST_EVENTS: usize = 300;
}

/// An event of an [`Unfolding`].
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct Event {
    /// What happens; its `after` are the immediate causes.
    pub step: Step,
    /// The event leads to a state that is known, so nothing was explored after it.
    pub cutoff: bool,
}

/// What `--stats` adds, by the names that JSON uses.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Profile {
    /// Seconds for each kind of work.
    pub time: Vec<(&'static str, f64)>,
    /// Counts of the engine's work, and sizes of its tables.
    pub engine: Vec<(&'static str, u64)>,
    /// How often something was explored because two actions on that object come in another order, most often first.
    pub orders: Vec<(String, u64)>,
}

/// Counters and measurements, named as in JSON.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Statistics {
    /// Maximal executions explored.
    pub executions: u64,
    /// Executions given up because they would have repeated others.
    pub blocked: u64,
    /// Executions ended by a failed assumption, or in which a thread waits in vain for what it has read too early.
    pub pruned: u64,
    /// Different paths of [`Statistics::executions`], if inputs that may be anything are read; else 0. A path is what
    /// each thread decides about inputs.
    pub paths: u64,
    /// Decisions about inputs, in all executions; what several have in common counts once.
    #[serde(default)]
    pub decisions: u64,
    /// Executions of all kinds, also in passes before the last one.
    pub ends: u64,
    /// Different events.
    pub events: u64,
    /// Branches cut because their state was known.
    pub cutoffs: u64,
    /// Different states visited, by an engine that visits states; else 0.
    pub states: u64,
    /// If small configurations come first: everything that takes at most this many actions was explored (actions before
    /// there is a second thread do not count); else 0.
    pub explored: u32,
    /// How many executions of all kinds are expected in this pass; a guess, 0 without one.
    pub expected: f64,
    /// Memory locations whose accesses became scheduling points.
    pub promoted: u64,
    /// How often the exploration started again because of promotion.
    pub restarts: u64,
    /// Most threads in one execution.
    pub threads: u32,
    /// Instructions executed.
    pub instructions: u64,
    /// Time taken.
    pub seconds: f64,
    /// Most memory in use.
    pub peak_memory_bytes: u64,
}
