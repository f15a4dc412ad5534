//! `verify`: explores every schedule of a C program with threads. The command line, and the exit codes: 0 safe, 1 a
//! bug, 2 a usage or input error, 3 unknown.
mod cc;
mod cli;
mod driver;
mod replay;
mod report;
mod svcomp;

use cli::high::{Request, UsageError};
use cli::low::{Arguments, Command, Format};
use report::Report;
use report::style::{Role, Style};
use std::io::Write;
use std::process::ExitCode;
use std::time::Instant;

/// Exit code of usage and input errors.
const MISTAKE: u8 = 2;

fn main() -> ExitCode {
    let started = Instant::now();
    // Foreign bitcode is read by a child, which is this program with hidden arguments.
    if let Some(code) = frontend::load::child_main(std::env::args_os()) {
        return code;
    }
    log_to_stderr();
    if let Some(code) = cc::main(std::env::args_os().collect()) {
        return code;
    }
    let result = match Arguments::command_of(cli::compiler_spellings(std::env::args_os())) {
        Command::Check(typed) => Request::new(*typed).map(|request| run(&request, started)),
        Command::Replay(typed) => replay::run(typed, started, warn_plainly).map(|shown| match shown {
            replay::Shown::Report(report, request) => write(&request, &report),
            replay::Shown::Text(text, code) => print(&text, code, Style::new(100, false)),
        }),
        Command::Svcomp(typed) => {
            svcomp::run(*typed, started, warn_plainly).map(|(text, code)| print(&text, code, Style::new(100, false)))
        }
    };
    result.unwrap_or_else(|UsageError { message, hint }| {
        complain(Style::new(100, false), &message, Some(&hint));
        ExitCode::from(MISTAKE)
    })
}

fn run(request: &Request, started: Instant) -> ExitCode {
    let style = request.output.error_style;
    let warn = |warning: &str| say(style, Role::Unclear, "warning", warning);
    match driver::run(request, started, warn) {
        Ok(driver::Outcome::Code(text)) => print(&text, 0, style),
        Ok(driver::Outcome::Report(report, None)) => write(request, &report),
        Ok(driver::Outcome::Report(mut report, Some(trace))) => {
            let unsaved = save(request, &trace, &mut report);
            let code = write(request, &report);
            unsaved.unwrap_or(code)
        }
        Err(error) => {
            complain(style, &error.to_string(), None);
            ExitCode::from(MISTAKE)
        }
    }
}

/// Saves the violations, and notes in the report how they are shown again. The exit code if that cannot be done.
fn save(request: &Request, trace: &replay::trace::Trace, report: &mut Report) -> Option<ExitCode> {
    let file = &request.save_trace.as_ref()?.file;
    if let Err(error) = trace.save(file) {
        complain(request.output.error_style, &format!("{}: cannot be written: {error}", file.display()), None);
        return Some(ExitCode::from(MISTAKE));
    }
    let count = report.violations.len();
    for (violation, number) in report.violations.iter_mut().zip(1..) {
        violation.replay = Some(replay::command(file, number, count));
    }
    None
}

/// Writes a report to where it is wanted.
fn write(request: &Request, report: &Report) -> ExitCode {
    let style = request.output.error_style;
    let written = |format, style| match format {
        Format::Text => report::text::write(report, style, request.output.detail),
        Format::Json => report::json::write(report),
    };
    let code = print(&written(request.output.format, request.output.style), report.verdict.exit_code(), style);
    for (format, file) in &request.reports {
        if let Err(error) = std::fs::write(file, written(*format, Style::new(100, false))) {
            complain(style, &format!("{}: cannot be written: {error}", file.display()), None);
            return ExitCode::from(MISTAKE);
        }
    }
    code
}

fn warn_plainly(warning: &str) {
    say(Style::new(100, false), Role::Unclear, "warning", warning);
}

/// Writes the result to standard output; `style` is for what may go wrong with that.
fn print(text: &str, code: u8, style: Style) -> ExitCode {
    let mut out = std::io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        // Who closes the pipe has seen enough.
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
            complain(style, &format!("cannot write the result: {error}"), None);
            ExitCode::from(MISTAKE)
        }
        _ => ExitCode::from(code),
    }
}

fn complain(style: Style, message: &str, hint: Option<&str>) {
    say(style, Role::Bad, "error", message);
    if let Some(hint) = hint {
        say(style, Role::Strong, "hint", hint);
    }
}

/// A line on standard error; if that is closed, nobody wants to know.
fn say(style: Style, role: Role, word: &str, text: &str) {
    let _ = writeln!(std::io::stderr(), "{}: {text}", style.paint(role, word));
}

/// `VERIFY_LOG=debug` shows what the parts say of themselves.
fn log_to_stderr() {
    if let Ok(filter) = tracing_subscriber::EnvFilter::try_from_env("VERIFY_LOG") {
        tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr).init();
    }
}
