//! `verify test`: many programs, each checked by a process of its own, and compared with what is expected of them.
mod json;
mod select;
mod text;

use crate::children::{self, Ended};
use crate::cli::high::{colored, columns, fail_on};
use crate::cli::options;
use crate::cli::test::TestArguments;
use crate::config::harness::Harness;
use crate::config::suppress;
use crate::config::{self, Config};
use crate::console::{MISTAKE, complain, print, warn, write};
use crate::driver::Signals;
use crate::report::Format;
use crate::report::case::{self, Broken, Case, Outcome};
use crate::report::printable::printable;
use crate::report::style::Style;
use crate::report::{FailOn, Report, github, junit, sarif, transfer};
use crate::request::UsageError;
use select::Selection;
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::Instant;

/// How results are written.
struct Output {
    format: Format,
    style: Style,
    fail_on: FailOn,
    quiet: bool,
    /// How many harnesses no filter names.
    left_out: usize,
}

/// Does what was asked for.
pub(crate) fn run(typed: TestArguments, config: Config) -> Result<ExitCode, UsageError> {
    let started = Instant::now();
    let Selection { harnesses, left_out } = select::selection(&typed, &config)?;
    one_file_for_many(&typed, &config, harnesses.len())?;
    let style = |terminal| Style::new(columns(), colored(typed.color, terminal));
    let output = Output {
        format: typed.format,
        style: style(std::io::stdout().is_terminal()),
        fail_on: fail_on(&typed.fail_on)?,
        quiet: typed.quiet,
        left_out,
    };
    let error_style = style(std::io::stderr().is_terminal());
    for format in std::iter::once(typed.format).chain(typed.reports.iter().map(|(format, _)| *format)) {
        is_for_many(format)?;
    }
    if typed.list {
        let names: String = harnesses.iter().map(|harness| format!("{}\n", printable(&harness.name))).collect();
        return Ok(print(&names, 0, error_style));
    }
    let system = |what: &str, error| mistake(format!("{what}: {error}"), "try again");
    let executable = std::env::current_exe().map_err(|error| system("cannot find the program's own file", error))?;
    let reports = typed.reports.iter().map(|(format, file)| Ok((*format, std::path::absolute(file)?)));
    let reports: Vec<(Format, PathBuf)> =
        reports.collect::<std::io::Result<_>>().map_err(|error| system("cannot find this directory", error))?;
    let file = match typed.inputs.is_empty() {
        // What verify.toml names is found from where it stands, and so are the places in reports.
        true => enter(&config).map_err(|error| system("cannot go to the directory of verify.toml", error))?,
        false => config.file.clone(),
    };
    config::too_wide(&config.suppressions).iter().for_each(|warning| warn(error_style, warning));
    let signals = Signals::catch().map_err(|error| system("cannot catch signals", error))?;
    let jobs = match typed.jobs {
        Some(jobs) => jobs.get(),
        None => std::thread::available_parallelism().map_or(1, usize::from),
    };
    let mut done: Vec<Option<Case>> = vec![None; harnesses.len()];
    let work: Vec<(usize, &Harness)> = harnesses.iter().enumerate().collect();
    let command = |(_, harness): &(usize, &Harness)| command(&executable, file.as_deref(), &typed, harness);
    children::all(&work, jobs, None, &signals, command, |(at, harness), ended| {
        let (case, warnings) = case(harness, ended);
        warnings.iter().for_each(|warning| warn(error_style, &format!("{}: {warning}", printable(&case.name))));
        output.line(&case);
        done[*at] = Some(case);
    });
    let interrupted = |harness: &Harness| Case {
        name: harness.name.clone(),
        expected: harness.expected,
        result: Err(Broken::Crash("interrupted".to_owned())),
        seconds: 0.0,
    };
    let cases = done.into_iter().zip(&harnesses).map(|(case, harness)| case.unwrap_or_else(|| interrupted(harness)));
    let cases: Vec<Case> = cases.collect();
    if typed.inputs.is_empty() && typed.filter.is_empty() {
        let reports: Option<Vec<&Report>> = cases.iter().map(|case| case.result.as_deref().ok()).collect();
        let unmatched = reports.map(|reports| suppress::unmatched(&config.suppressions, &reports)).unwrap_or_default();
        unmatched.iter().for_each(|warning| warn(error_style, warning));
    }
    if typed.format != Format::Text {
        let _ = std::io::stderr().write_all(text::chosen(cases.len(), left_out).as_bytes());
    }
    let seconds = started.elapsed().as_secs_f64();
    let code = case::exit_code(&cases, output.fail_on);
    let code = print(&output.all(typed.format, &cases, &harnesses, seconds), code, error_style);
    for (format, file) in &reports {
        let output = Output { style: Style::new(100, false), ..output };
        if let Err(message) = write(file, &output.all(*format, &cases, &harnesses, seconds)) {
            complain(error_style, &message, None);
            return Ok(ExitCode::from(MISTAKE));
        }
    }
    Ok(code)
}

/// Complains if all harnesses would write one and the same file.
fn one_file_for_many(typed: &TestArguments, config: &Config, count: usize) -> Result<(), UsageError> {
    let named = |name: &str| {
        let option = format!("--{name}");
        let is = |word: &String| word == &option || word.starts_with(&format!("{option}="));
        typed.options.iter().any(is)
            || std::env::var_os(options::variable(name)).is_some()
            || config.defaults.iter().any(|default| default.name == name)
    };
    match ["save-trace", "checkpoint"].into_iter().find(|name| count > 1 && named(name)) {
        Some(name) => Err(mistake(
            format!("with --{name} for all of them, {count} harnesses would write one file"),
            "give each a file of its own among its `options` in verify.toml, or run one program with `verify`",
        )),
        None => Ok(()),
    }
}

/// Goes to where the file stands; the file as seen from there.
fn enter(config: &Config) -> std::io::Result<Option<PathBuf>> {
    let Some(file) = &config.file else { return Ok(None) };
    if config.directory() != Path::new("") {
        std::env::set_current_dir(config.directory())?;
    }
    Ok(file.file_name().map(PathBuf::from))
}

fn command(executable: &Path, config: Option<&Path>, typed: &TestArguments, harness: &Harness) -> Command {
    let mut command = Command::new(executable);
    command.args(["check", "--format=transfer"]);
    // There are several checks at once.
    command.env(options::variable("jobs"), "1");
    match config {
        Some(file) => command.arg("--config").arg(file),
        None => command.arg("--no-config"),
    };
    let says = |word: &String| word == "--accept" || word.starts_with("--accept=");
    // (What a harness asks for itself counts.)
    if let Some(preemptions) = typed.accept.filter(|_| !harness.options.iter().chain(&typed.options).any(says)) {
        command.arg(format!("--accept=preemptions={preemptions}"));
    }
    command.args(harness.words(&typed.options));
    command
}

/// What came of a process, and what it warned of.
fn case(harness: &Harness, ended: Ended) -> (Case, Vec<String>) {
    let said = |word: &str| ended.err.lines().filter_map(|line| line.strip_prefix(word).map(str::to_owned)).collect();
    let errors: Vec<String> = said("error: ");
    let result = match (transfer::read(&ended.out), &ended.status) {
        (Some(report), _) => Ok(Box::new(report)),
        (None, Err(error)) => Err(Broken::Crash(format!("cannot start a process: {error}"))),
        (None, Ok(status)) if status.code() == Some(i32::from(MISTAKE)) => {
            Err(Broken::Mistake(errors.into_iter().next().unwrap_or_else(|| ended.err.trim().to_owned())))
        }
        (None, Ok(status)) => Err(Broken::Crash(format!("the process ended without an answer ({status})"))),
    };
    let case = Case { name: harness.name.clone(), expected: harness.expected, result, seconds: ended.seconds };
    (case, said("warning: "))
}

impl Output {
    /// What is said when a case ends; standard output gets it if that is text.
    fn line(&self, case: &Case) {
        if self.quiet && case.outcome() == Outcome::Passed {
            return;
        }
        let line = text::line(case, self.style);
        match self.format {
            Format::Text => drop(print(&line, 0, self.style)),
            _ => drop(std::io::stderr().write_all(line.as_bytes())),
        }
    }

    /// What is said in the end.
    fn all(&self, format: Format, cases: &[Case], harnesses: &[Harness], seconds: f64) -> String {
        match format {
            Format::Json => json::write(cases, harnesses, self.left_out, seconds),
            Format::Sarif => sarif::write(cases),
            Format::Junit => junit::write(cases, self.fail_on),
            Format::Github => github::write(cases),
            // Others are refused.
            _ => text::end(cases, self.style, self.quiet, seconds) + &text::chosen(cases.len(), self.left_out),
        }
    }
}

/// Whether a format is one for many programs.
fn is_for_many(format: Format) -> Result<(), UsageError> {
    match format {
        Format::Text | Format::Json | Format::Sarif | Format::Junit | Format::Github => Ok(()),
        _ => Err(mistake(
            "this format is for one program".to_owned(),
            "`verify test` writes text, json, junit, github and sarif",
        )),
    }
}

fn mistake(message: String, hint: &str) -> UsageError {
    UsageError { message, hint: hint.to_owned() }
}
