//! `verify replay`: goes to a violation whose schedule was saved, without a search; [`native`] does so with the real
//! program.
//!
//! [`trace`] is the file. The command line in it is read again, so that the program is loaded and runs as it did;
//! [`trust`] says what of it is not done for strangers.
mod native;
pub(crate) mod trace;
mod trust;

use crate::cli::instead::InsteadArguments;
use crate::cli::low::{Arguments, CheckArguments, Command, FailOnName};
use crate::cli::replay::ReplayArguments;
use crate::driver::{self, Likeness, Recording};
use crate::report::Report;
use crate::request::{Output, Request, UsageError};
use clap::Parser;
use interp::{Awaits, Machine};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Instant;
use trace::{Saved, Trace};

/// What is to be shown.
pub(crate) enum Shown {
    /// The report of the saved violations, as it is to be written.
    Report(Box<Report>, Box<Request>),
    /// What the real program did, and the exit code.
    Text(String, u8),
}

/// Does what was asked for. `started` is when the program began; `warn` is told what weakens the answer.
pub(crate) fn run(typed: ReplayArguments, started: Instant, warn: impl Fn(&str)) -> Result<Shown, UsageError> {
    let absolute = |path: &PathBuf| std::path::absolute(path).unwrap_or_else(|_| path.clone());
    let settings = native::Settings { gdb: typed.gdb, keep: typed.keep.as_ref().map(absolute) };
    let native = typed.native;
    let mut replay = Replay::open(typed, warn)?;
    if native {
        replay.chosen.truncate(1);
    }
    let mut report = replay.report(started)?;
    if native {
        return replay.native(&report, &settings);
    }
    for (number, violation) in replay.chosen.iter().zip(&mut report.violations) {
        violation.replay = Some(command(&replay.file, *number, replay.trace.violations.len()));
    }
    Ok(Shown::Report(Box::new(report), Box::new(replay.request)))
}

/// The command that shows a violation again: the one of that number, from 1, of so many in a file.
pub(crate) fn command(file: &Path, number: usize, count: usize) -> String {
    let file = file.display().to_string();
    let file = shlex::try_quote(&file).map(|quoted| quoted.into_owned()).unwrap_or(file);
    match count {
        1 => format!("verify replay {file}"),
        _ => format!("verify replay --violation {number} {file}"),
    }
}

/// A trace, and the program as it is now.
struct Replay {
    /// The file as the user named it.
    file: PathBuf,
    trace: Trace,
    request: Request,
    machine: Machine,
    /// Numbers of the violations that are asked for, from 1.
    chosen: Vec<usize>,
    likeness: Likeness,
}

impl Replay {
    fn open(typed: ReplayArguments, warn: impl Fn(&str)) -> Result<Self, UsageError> {
        let file = typed.trace.clone();
        let wrong = |error: trace::TraceError| trace_error(&file, &error);
        let trace = Trace::load(&file).map_err(wrong)?;
        if trace.version != env!("CARGO_PKG_VERSION") && !typed.force {
            let (saved, mine) = (&trace.version, env!("CARGO_PKG_VERSION"));
            return Err(mistake(
                format!("{}: was saved by verify {saved}, and this is verify {mine}", file.display()),
                "run verify again, or try it with --force",
            ));
        }
        let chosen = match typed.violation.map(std::num::NonZeroUsize::get) {
            None => (1..=trace.violations.len()).collect(),
            Some(number) if number <= trace.violations.len() => vec![number],
            Some(_) => Vec::new(),
        };
        if chosen.is_empty() {
            let count = trace.violations.len();
            return Err(mistake(
                format!("{}: has no such violation; there are {count}", file.display()),
                "choose another one with --violation",
            ));
        }
        let (force, likeness) = (typed.force, if typed.force { Likeness::Kind } else { Likeness::Same });
        let mut request = request(&trace, typed)?;
        // What the schedule says happens, also turns of loops that the exploration no longer waited for.
        request.machine.awaits = Some(Awaits::Run);
        request.machine.commuting_updates = false;
        request.machine.same_values = false;
        request.machine.sections = false;
        let machine = driver::prepare(&request, warn).map_err(|error| {
            let hint = format!("the trace was saved in {}; --directory names another place", trace.directory.display());
            mistake(error.to_string(), &hint)
        })?;
        if !force && trace::program_hash(&request, machine.module()) != trace.program {
            return Err(mistake(changes(&trace), "run verify again, or try it with --force"));
        }
        Ok(Replay { file, trace, request, machine, chosen, likeness })
    }

    fn saved(&self) -> impl Iterator<Item = &Saved> {
        self.chosen.iter().map(|number| &self.trace.violations[number - 1])
    }

    /// The first of the chosen violations in the real program.
    fn native(&self, report: &Report, settings: &native::Settings) -> Result<Shown, UsageError> {
        let (Some(saved), Some(violation)) = (self.saved().next(), report.violations.first()) else {
            return Err(mistake("there is no violation", "choose one with --violation"));
        };
        let recording = saved.recording(self.machine.module()).map_err(|error| trace_error(&self.file, &error))?;
        let place = violation.place.as_ref().map(|place| format!("{place}: ")).unwrap_or_default();
        let report = format!("report: {place}{}\n", violation.message);
        match native::run(&self.request, &self.machine, &recording, violation, settings) {
            Ok(native::Outcome::Happened(what)) => Ok(Shown::Text(format!("{report}native: it happens: {what}\n"), 1)),
            Ok(native::Outcome::No(why)) => Ok(Shown::Text(format!("{report}native: cannot be shown: {why}\n"), 3)),
            Err(error) => Err(mistake(format!("the real program cannot be run: {error}"), "see docs/replay.md")),
        }
    }

    fn report(&self, started: Instant) -> Result<Report, UsageError> {
        let recording = |saved| Ok((saved, Saved::recording(saved, self.machine.module())?));
        let saved: Vec<(&Saved, Recording)> =
            self.saved().map(recording).collect::<Result<_, _>>().map_err(|error| trace_error(&self.file, &error))?;
        let replay = |machine: &Machine| driver::replay(&self.request, machine, &saved, self.likeness, started);
        // (A thread that counts its turns goes on for longer than is looked at, unless it waits.)
        let mut waiting = self.machine.clone();
        waiting.let_threads_wait();
        let replayed = replay(&self.machine).or_else(|what| replay(&waiting).map_err(|_| what));
        replayed.map_err(|what| {
            mistake(format!("{}: does not lead to the violation: {what}", self.file.display()), "run verify again")
        })
    }
}

/// What the saved command line means, with the output that is asked for now. Goes to the directory where it was given.
fn request(trace: &Trace, typed: ReplayArguments) -> Result<Request, UsageError> {
    let words = std::iter::once("verify".into()).chain(trace.command_line.iter().map(OsString::from));
    let unfit = || {
        let message = format!("{}: has a command line that is none of `verify check`", typed.trace.display());
        mistake(message, "the file may be damaged: run verify again")
    };
    let Command::Check(check) = Arguments::try_parse_from(words).map_err(|_| unfit())?.into_command() else {
        return Err(unfit());
    };
    let trusted = |dubious: Option<String>| match dubious.filter(|_| !typed.trust) {
        Some(what) => Err(mistake(
            format!("{}: would have clang do more than to compile: `{what}`", typed.trace.display()),
            "if you know where the file comes from, --trust allows it",
        )),
        None => Ok(()),
    };
    trusted(trust::dubious(&check))?;
    let absolute = |path: PathBuf| std::path::absolute(&path).unwrap_or(path);
    let reports = typed.reports.iter().cloned().map(|(format, file)| (format, absolute(file))).collect();
    match &typed.directory {
        Some(directory) => std::env::set_current_dir(directory)
            .map_err(|error| mistake(format!("{}: {error}", directory.display()), "name a directory"))?,
        // If it is not there any more, paths may still lead somewhere from here.
        None => drop(std::env::set_current_dir(&trace.directory)),
    }
    let check = CheckArguments {
        reports,
        save_trace: None,
        // The `--fail-on` of the search says nothing about the bug that is shown.
        fail_on: vec![FailOnName::Violation, FailOnName::Unknown],
        format: typed.format,
        color: typed.color,
        verbose: typed.verbose || (check.verbose && !typed.quiet),
        quiet: typed.quiet || (check.quiet && !typed.verbose),
        instead: InsteadArguments::default(),
        ..*check
    };
    let request = Request::new(check)?;
    trusted(trust::dubious_in_build(&request.loading.commands))?;
    Ok(Request { output: Output { statistics: false, ..request.output }, ..request })
}

/// What is different about the program.
fn changes(trace: &Trace) -> String {
    let changed = trace.changed_files();
    let names: Vec<String> = changed.iter().map(|path| path.display().to_string()).collect();
    match &names[..] {
        [] => {
            "the program is not what it was when the trace was saved: is it compiled by another clang, or does it find \
               other files?"
                .to_owned()
        }
        [one] => format!("{one} has changed since the trace was saved"),
        [one, more @ ..] => format!("{one} and {} have changed since the trace was saved", more.join(", ")),
    }
}

fn trace_error(file: &Path, error: &trace::TraceError) -> UsageError {
    mistake(format!("{}: {error}", file.display()), "`verify … --save-trace FILE` writes such files")
}

fn mistake(message: impl Into<String>, hint: &str) -> UsageError {
    UsageError { message: message.into(), hint: hint.to_owned() }
}
