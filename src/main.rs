//! `verify`: explores every schedule of a C program with threads. The command line, and the exit codes: 0 safe, 1 a
//! bug, 2 a usage or input error, 3 unknown.
mod cc;
mod cli;
mod driver;
mod explain;
mod manual;
mod report;
mod svcomp;

use clap::Parser;
use cli::high::{Request, UsageError};
use cli::low::{Arguments, ColorChoice, Command, Format};
use cli::pages::Pages;
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
    let result = match Arguments::parse_from(cli::compiler_spellings(std::env::args_os())).into_command() {
        Command::Check(typed) => Request::new(*typed).map(|request| run(&request, started)),
        Command::Svcomp(typed) => {
            let warn = |warning: &str| say(Style::new(100, false), Role::Unclear, "warning", warning);
            svcomp::run(*typed, started, warn).map(|(text, code)| print(&text, code, Style::new(100, false)))
        }
        Command::Pages(asked) => text_of(asked).map(|text| print(&text, 0, Style::new(100, false))),
    };
    result.unwrap_or_else(|UsageError { message, hint }| {
        complain(Style::new(100, false), &message, Some(&hint));
        ExitCode::from(MISTAKE)
    })
}

/// What there is to read.
fn text_of(asked: Pages) -> Result<String, UsageError> {
    let style = cli::high::stdout_style(ColorChoice::Auto);
    match asked {
        Pages::Explain { kind: None } => Ok(explain::list(style)),
        Pages::Explain { kind: Some(kind) } => Ok(explain::page(kind, style)),
        Pages::Completions { shell } => Ok(manual::completions(shell)),
        Pages::Man { command } => manual::page(command.as_deref()),
    }
}

fn run(request: &Request, started: Instant) -> ExitCode {
    let style = request.output.error_style;
    let warn = |warning: &str| say(style, Role::Unclear, "warning", warning);
    let (text, code) = match driver::run(request, started, warn) {
        Ok(driver::Outcome::Code(text)) => (text, 0),
        Ok(driver::Outcome::Report(report)) => {
            let written = |format, style| match format {
                Format::Text => report::text::write(&report, style, request.output.detail),
                Format::Json => report::json::write(&report),
            };
            let code = print(&written(request.output.format, request.output.style), report.verdict.exit_code(), style);
            for (format, file) in &request.reports {
                if let Err(error) = std::fs::write(file, written(*format, Style::new(100, false))) {
                    complain(style, &format!("{}: cannot be written: {error}", file.display()), None);
                    return ExitCode::from(MISTAKE);
                }
            }
            return code;
        }
        Err(error) => {
            complain(style, &error.to_string(), None);
            return ExitCode::from(MISTAKE);
        }
    };
    print(&text, code, style)
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
