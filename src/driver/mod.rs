//! Putting it together: loads the program, explores it under the limits, and makes the report.
//!
//! The exploration runs in a thread of its own; this one keeps an eye on time, memory and signals, and shows progress.
pub(crate) mod apart;
mod beside;
pub(crate) mod certify;
pub(crate) mod checkpoint;
mod company;
mod confirm;
mod coverage;
mod demangle;
mod describe;
mod engines;
mod findings;
mod given;
mod hunt;
mod identity;
mod loops;
mod missing;
mod monitor;
mod narrate;
mod panics;
mod profile;
mod progress;
mod recorder;
mod replay;
mod search;
mod suppression;
#[cfg(test)]
mod tests;
mod unfolding;
mod wanted;

use crate::replay::trace::Trace;
use crate::report::jsonl::Event;
use crate::report::text::Detail;
use crate::report::{Narrowed, Reason, Report, Statistics, Verdict};
use crate::request::{AfterBug, Prints, Request, Rules};
use checkpoint::{Unfit, Writer};
use findings::{Findings, Shared};
use frontend::ir::Module;
use interp::fault::Kind;
use interp::{Assumption, Checks, Machine};
pub(crate) use monitor::{Signals, peak_memory, wait};
pub(crate) use panics::keep_quiet;
use por::System as _;
use profile::Sampler;
pub(crate) use progress::Progress;
pub(crate) use replay::{Likeness, Recording, prepare, replay};
use search::Search;
use std::borrow::Cow;
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver};
use std::time::{Duration, Instant};

/// How long one processor is enough where nobody has asked for several.
const PATIENCE: Duration = Duration::from_secs(2);

/// Stack of the thread that explores. Only touched pages take memory.
const STACK_BYTES: usize = 256 << 20;

/// Why there is no report.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Error {
    /// The input is at fault.
    #[error(transparent)]
    Load(#[from] frontend::Error),
    /// The program cannot be started.
    #[error(transparent)]
    Machine(#[from] interp::Error),
    /// The file for the checkpoint cannot be used.
    #[error("{0}: {1}")]
    Checkpoint(String, Unfit),
    /// The directory of an exploration by jobs cannot be used.
    #[error("{0}: {1}")]
    Directory(String, &'static str),
    /// The system refuses what the driver needs.
    #[error("{0}: {1}")]
    System(&'static str, std::io::Error),
    /// Reading the program failed for a fault of ours.
    #[error("internal error: {0}")]
    Internal(String),
}

/// What a run gives.
#[derive(Debug)]
pub(crate) enum Outcome {
    /// The code, as text.
    Code(String),
    /// The result of the exploration; and its violations to be shown again, if that is to be saved.
    Report(Box<Report>, Option<Box<Trace>>),
}

/// Hears of a run while it goes on, if anybody wants to.
pub(crate) type Listener<'a> = Option<&'a mut dyn FnMut(Event<'_>)>;

/// Does what was asked for. `started` is when the program began; `warn` is told what weakens the answer, and `listener`
/// what is found and how far it is.
pub(crate) fn run(
    request: &Request,
    started: Instant,
    warn: impl Fn(&str),
    listener: Listener<'_>,
) -> Result<Outcome, Error> {
    let signals = ready()?;
    match load(request, started, &signals, warn)? {
        Loaded::Module(module) => run_loaded(request, &module, started, &signals, listener),
        Loaded::Nothing(report) => Ok(Outcome::Report(report, None)),
    }
}

/// What every run needs, once in a process: signals are caught, and panics say nothing.
pub(crate) fn ready() -> Result<Signals, Error> {
    let signals = Signals::catch().map_err(|error| Error::System("cannot catch signals", error))?;
    panics::keep_quiet();
    Ok(signals)
}

/// What loading a program gives.
pub(crate) enum Loaded {
    /// Its code.
    Module(Arc<Module>),
    /// None, and a report that says why.
    Nothing(Box<Report>),
}

/// Loads the program of a request.
pub(crate) fn load(
    request: &Request,
    started: Instant,
    signals: &Signals,
    warn: impl Fn(&str),
) -> Result<Loaded, Error> {
    let quiet = request.output.detail == Detail::Brief;
    let loading = || panics::caught(|| frontend::load(&request.inputs, &request.loading));
    let program = match progress::while_it_lasts(quiet, "loading", loading) {
        Ok(Ok(program)) => program,
        // Ctrl-C ends clang too; what clang says of that is no news.
        Ok(Err(_)) if signals.caught() => return Ok(Loaded::Nothing(Box::new(failed(Reason::Interrupted, started)))),
        Ok(Err(error)) => return Err(error.into()),
        Err(message) => return Ok(Loaded::Nothing(Box::new(failed(Reason::Internal(message), started)))),
    };
    program.warnings.iter().for_each(|warning| warn(warning));
    Ok(Loaded::Module(Arc::new(program.module)))
}

/// Does what was asked for with a program that is loaded.
pub(crate) fn run_loaded(
    request: &Request,
    module: &Arc<Module>,
    started: Instant,
    signals: &Signals,
    listener: Listener<'_>,
) -> Result<Outcome, Error> {
    if request.prints == Some(Prints::Code) {
        return Ok(Outcome::Code(module.to_string()));
    }
    let machine = machine(request, Arc::clone(module))?;
    let callees = machine.program_callees();
    if request.prints == Some(Prints::Undefined) {
        return Ok(Outcome::Code(missing::list(&callees)));
    }
    if request.prints == Some(Prints::Loops) {
        return Ok(Outcome::Code(loops::list(&machine)));
    }
    let recorded = request.save_trace.is_some().then(|| machine.clone());
    let coverage = machine.coverage();
    let (mut report, recordings) = explore(request, machine, started, signals, listener)?;
    add_what_is_known(request, module, &callees, &mut report);
    report.code = coverage.map(|coverage| coverage::describe(module, &coverage));
    let trace = recorded.filter(|_| !recordings.is_empty()).map(|machine| {
        let found = report.violations.iter().zip(&recordings);
        Box::new(Trace::new(request, machine.module(), found))
    });
    Ok(Outcome::Report(Box::new(report), trace))
}

/// Adds to a report what follows from the program and from what was asked for: assumptions, and what to do about an
/// "unknown".
fn add_what_is_known(request: &Request, module: &Module, callees: &interp::Callees, report: &mut Report) {
    if request.rules != Rules::Usual && reads_arguments(module) {
        report.assumptions.push(Assumption::FixedArguments.name().to_owned());
    }
    if module.volatile_is_atomic {
        report.assumptions.push(Assumption::VolatileIsAtomic.name().to_owned());
    }
    if report.verdict == Verdict::Safe {
        report.assumptions.extend(compaction(request.exploration.state_bits, report.statistics.states));
    }
    report.assumptions.extend(request.loading.stubs.iter().map(|stub| format!("stub: {}", stub.name())));
    if report.verdict == Verdict::Unknown {
        report.advice = missing::advice(callees, &report.reasons);
    }
    if request.layouts > 1 {
        let one = report.assumptions.iter_mut().filter(|name| **name == Assumption::OneLayout.name());
        one.for_each(|name| *name = Assumption::FewLayouts.name().to_owned());
    }
    report.assumptions.sort();
}

/// What a "safe" rests on if less than all is kept of a state: that none of so many was taken for another one.
fn compaction(kept: por::StateBits, states: u64) -> Option<String> {
    let (bits, odds) = (kept.bits(), kept.odds(states));
    (kept != por::StateBits::All).then(|| format!("state-bits: {bits} (odds of a state left out: at most {odds:.1e})"))
}

/// A machine that is about to start the program.
fn machine(request: &Request, module: Arc<Module>) -> Result<Machine, Error> {
    let library: Cow<'_, interp::hooks::Registry> = match &request.rules {
        Rules::Usual => Cow::Borrowed(runtime_model::registry()),
        Rules::Competition(forbidden) => Cow::Owned(runtime_model::competition(forbidden)),
    };
    machine_of(module, &library, request.machine.clone(), request.exploration.needs())
}

/// A machine with these settings, for an exploration that needs that of it.
fn machine_of(
    module: Arc<Module>,
    library: &interp::hooks::Registry,
    options: interp::Options,
    needs: por::Needs,
) -> Result<Machine, Error> {
    let mut machine = Machine::new(module, library, options)?;
    machine.prepare(needs);
    Ok(machine)
}

fn explore(
    request: &Request,
    machine: Machine,
    started: Instant,
    signals: &Signals,
    listener: Listener<'_>,
) -> Result<(Report, Vec<Recording>), Error> {
    let shared = Arc::new(Shared::default());
    let search = search(request, machine, &shared)?;
    let receiver = start(move || search.run()).map_err(|error| Error::System("cannot start a thread", error))?;
    let loading = started.elapsed();
    let sampler = request.output.statistics.then(|| Sampler::start(Arc::clone(&shared))).transpose();
    let sampler = sampler.map_err(|error| Error::System("cannot start a thread", error))?;
    let stopped = monitor::watch(request, started, signals, &shared, &receiver, listener);
    let mut findings = stopped.result.unwrap_or_else(|| shared.findings());
    findings.sort();
    let recordings = std::mem::take(&mut findings.recordings);
    let profile = sampler.map(|sampler| sampler.finish(loading, &findings, &shared));
    let report = report(request, findings, stopped.reason, started);
    let unfolding = request.exploration.prefix.map(|_| report.unfolding.unwrap_or_else(|| Err(no_unfolding(request))));
    Ok((Report { profile, unfolding, ..report }, recordings))
}

/// Starts work that may take long and go deep, in a thread of its own; a panic in it is its answer.
pub(crate) fn start<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> std::io::Result<Receiver<Result<T, String>>> {
    let (sender, receiver) = mpsc::channel();
    let thread = std::thread::Builder::new().name("explorer".to_owned()).stack_size(STACK_BYTES);
    thread.spawn(move || {
        // The receiver is gone only when nobody waits for the result any more.
        let _ = sender.send(panics::caught(work));
    })?;
    Ok(receiver)
}

/// Why what was explored cannot be shown.
fn no_unfolding(request: &Request) -> String {
    match request.exploration.engine {
        por::Engine::Dpor(_) | por::Engine::States | por::Engine::Naive => {
            "this engine explores sequences or states, which have no unfolding".to_owned()
        }
        por::Engine::Unfolding => unfolding::NO_TIME.to_owned(),
    }
}

/// What is to be explored, from a checkpoint if that is asked for.
fn search(request: &Request, machine: Machine, shared: &Arc<Shared>) -> Result<Search, Error> {
    let Some(plan) = &request.checkpoint else { return Ok(Search::new(machine, request, Arc::clone(shared), None)) };
    let writer = Writer::new(plan, request, machine.module());
    let writer = writer.map_err(|error| Error::System("cannot read my own file", error))?;
    let unfit = |reason| Error::Checkpoint(plan.file.display().to_string(), reason);
    let checkpoint = writer.read().map_err(unfit)?;
    let mut search = Search::new(machine, request, Arc::clone(shared), Some(writer));
    if let Some(checkpoint) = checkpoint {
        search.resume(checkpoint).map_err(|reason| unfit(Unfit::Useless(reason)))?;
    }
    Ok(search)
}

/// Whether it matters what `main` is called with.
fn reads_arguments(module: &Module) -> bool {
    module.function("main").is_some_and(|main| module.functions[main.index()].reads_parameters())
}

/// Draws the conclusion.
fn report(request: &Request, findings: Findings, stopped: Option<Reason>, started: Instant) -> Report {
    let Findings {
        violations,
        recordings: _,
        suppressed,
        unknown,
        complete,
        others,
        checkpoint,
        assumptions,
        sampling,
        statistics,
        answered,
        certificate,
        unfolding,
        work: _,
        questions: _,
    } = findings;
    let mut reasons = unknown;
    let first_only = !violations.is_empty() && request.after_bug != AfterBug::KeepGoing;
    // Nobody knows what would come behind a race: with --keep-going, the exploration goes on there.
    let race = violations.iter().any(|violation| violation.kind == Kind::DataRace);
    let stopped_early = first_only && (others || race || !complete) && stopped.is_none();
    reasons.extend(stopped);
    if !complete && reasons.is_empty() && !stopped_early {
        reasons.push(Reason::Internal("the exploration ended without a reason".to_owned()));
    }
    let verdict = match (violations.is_empty(), reasons.is_empty()) {
        (false, _) => Verdict::Unsafe,
        (true, true) => Verdict::Safe,
        (true, false) => Verdict::Unknown,
    };
    let enough = |wanted| sampling.as_ref().is_some_and(|sampling| sampling.has_taken(wanted));
    let enough = request.hunt.preemptions.is_some_and(enough);
    let is_accepted = verdict == Verdict::Unknown && enough && reasons.iter().all(Reason::is_limit);
    let seconds = started.elapsed().as_secs_f64();
    let statistics = Statistics { seconds, peak_memory_bytes: monitor::peak_memory(), ..statistics };
    Report {
        verdict,
        reasons,
        stopped_early,
        checkpoint,
        advice: Vec::new(),
        assumptions,
        narrowed: narrowed(request),
        violations,
        suppressed,
        sampling,
        code: None,
        is_accepted,
        statistics,
        profile: None,
        answered,
        certificate,
        unfolding,
    }
}

/// What is usually looked for and was not. (Competitions name the property that they ask about.)
fn narrowed(request: &Request) -> Option<Narrowed> {
    let checks = request.machine.checks;
    let (looked_for, left_out): (Vec<Kind>, Vec<Kind>) =
        Checks::supported().iter().partition(|kind| checks.contains(*kind));
    let origin = request.checks_set_by.clone();
    (request.rules == Rules::Usual && !left_out.is_empty()).then_some(Narrowed { looked_for, left_out, origin })
}

/// The report of a run that never came to explore anything.
fn failed(reason: Reason, started: Instant) -> Report {
    Report {
        verdict: Verdict::Unknown,
        reasons: vec![reason],
        stopped_early: false,
        checkpoint: None,
        advice: Vec::new(),
        assumptions: Vec::new(),
        narrowed: None,
        violations: Vec::new(),
        suppressed: Vec::new(),
        sampling: None,
        code: None,
        is_accepted: false,
        statistics: Statistics {
            seconds: started.elapsed().as_secs_f64(),
            peak_memory_bytes: monitor::peak_memory(),
            ..Statistics::default()
        },
        profile: None,
        answered: None,
        certificate: None,
        unfolding: None,
    }
}
