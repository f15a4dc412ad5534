//! Putting it together: loads the program, explores it under the limits, and makes the report.
//!
//! The exploration runs in a thread of its own; this one keeps an eye on time, memory and signals, and shows progress.
mod confirm;
mod demangle;
mod describe;
mod monitor;
mod panics;
mod profile;
mod progress;
mod search;
#[cfg(test)]
mod tests;

use crate::cli::high::{AfterBug, Request, Rules};
use crate::report::{Reason, Report, Statistics, Verdict};
use frontend::ir::Module;
use interp::fault::Kind;
use interp::{Assumption, Machine};
pub(crate) use monitor::Signals;
use profile::Sampler;
use search::{Findings, Search, Shared};
use std::sync::Arc;
use std::sync::mpsc;
use std::time::Instant;

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
    /// The system refuses what the driver needs.
    #[error("{0}: {1}")]
    System(&'static str, std::io::Error),
}

/// What a run gives.
#[derive(Debug)]
pub(crate) enum Outcome {
    /// The code, as text.
    Code(String),
    /// The result of the exploration.
    Report(Box<Report>),
}

/// Does what was asked for. `started` is when the program began; `warn` is told what weakens the answer.
pub(crate) fn run(request: &Request, started: Instant, warn: impl Fn(&str)) -> Result<Outcome, Error> {
    let signals = Signals::catch().map_err(|error| Error::System("cannot catch signals", error))?;
    panics::keep_quiet();
    let loaded = panics::caught(|| frontend::load(&request.inputs, &request.loading));
    let program = match loaded {
        Ok(Ok(program)) => program,
        // Ctrl-C ends clang too; what clang says of that is no news.
        Ok(Err(_)) if signals.caught() => return Ok(Outcome::Report(Box::new(failed(Reason::Interrupted, started)))),
        Ok(Err(error)) => return Err(error.into()),
        Err(message) => return Ok(Outcome::Report(Box::new(failed(Reason::Internal(message), started)))),
    };
    program.warnings.iter().for_each(|warning| warn(warning));
    if request.print_code {
        return Ok(Outcome::Code(program.module.to_string()));
    }
    let any_arguments = request.rules != Rules::Usual && reads_arguments(&program.module);
    let mut report = explore(request, program.module, started, &signals)?;
    if any_arguments {
        report.assumptions.push(Assumption::FixedArguments.name().to_owned());
        report.assumptions.sort();
    }
    Ok(Outcome::Report(Box::new(report)))
}

fn explore(request: &Request, module: Module, started: Instant, signals: &Signals) -> Result<Report, Error> {
    let library = match &request.rules {
        Rules::Usual => runtime_model::registry(),
        Rules::Competition(forbidden) => runtime_model::competition(forbidden),
    };
    let machine = Machine::new(Arc::new(module), &library, request.machine.clone())?;
    let shared = Arc::new(Shared::default());
    let (sender, receiver) = mpsc::channel();
    let search = Search::new(machine, request, Arc::clone(&shared));
    let explorer = std::thread::Builder::new().name("explorer".to_owned()).stack_size(STACK_BYTES);
    explorer
        .spawn(move || {
            // The receiver is gone only when nobody waits for the result any more.
            let _ = sender.send(panics::caught(move || search.run()));
        })
        .map_err(|error| Error::System("cannot start a thread", error))?;
    let loading = started.elapsed();
    let sampler = request.output.statistics.then(|| Sampler::start(Arc::clone(&shared))).transpose();
    let sampler = sampler.map_err(|error| Error::System("cannot start a thread", error))?;
    let stopped = monitor::watch(request, started, signals, &shared, &receiver);
    let findings = stopped.findings.unwrap_or_else(|| shared.findings());
    let profile = sampler.map(|sampler| sampler.finish(loading, findings.statistics.ends, &findings.work));
    Ok(Report { profile, ..report(request, findings, stopped.reason, started) })
}

/// Whether it matters what `main` is called with.
fn reads_arguments(module: &Module) -> bool {
    module.function("main").is_some_and(|main| module.functions[main.index()].reads_parameters())
}

/// Draws the conclusion.
fn report(request: &Request, findings: Findings, stopped: Option<Reason>, started: Instant) -> Report {
    let Findings { violations, unknown, complete, others, assumptions, statistics, work: _ } = findings;
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
    let seconds = started.elapsed().as_secs_f64();
    let statistics = Statistics { seconds, peak_memory_bytes: monitor::peak_memory(), ..statistics };
    Report { verdict, reasons, stopped_early, assumptions, violations, statistics, profile: None }
}

/// The report of a run that never came to explore anything.
fn failed(reason: Reason, started: Instant) -> Report {
    Report {
        verdict: Verdict::Unknown,
        reasons: vec![reason],
        stopped_early: false,
        assumptions: Vec::new(),
        violations: Vec::new(),
        statistics: Statistics {
            seconds: started.elapsed().as_secs_f64(),
            peak_memory_bytes: monitor::peak_memory(),
            ..Statistics::default()
        },
        profile: None,
    }
}
