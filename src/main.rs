//! `verify`: explores every schedule of a C program with threads. The command line, and the exit codes: 0 safe, 1 a
//! bug, 2 a usage or input error, 3 unknown.
mod apart;
mod batch;
mod cc;
mod certificates;
mod check;
mod children;
mod cli;
mod config;
mod console;
mod driver;
mod explain;
mod init;
mod manual;
mod nets;
mod replay;
mod report;
mod request;
mod svcomp;
mod testing;
mod units;

use cli::low::{ColorChoice, Command};
use cli::pages::Pages;
use console::{MISTAKE, complain, print, warn};
use report::style::Style;
use request::{Request, UsageError};
use std::process::ExitCode;
use std::time::Instant;

fn main() -> ExitCode {
    let started = Instant::now();
    // Foreign bitcode is read by a child, which is this program with hidden arguments.
    if let Some(code) = frontend::load::child_main(std::env::args_os()) {
        return code;
    }
    log_to_stderr();
    if let Some(code) = batch::main(std::env::args_os()) {
        return code;
    }
    if let Some(code) = cc::main(std::env::args_os().collect()) {
        return code;
    }
    let plain = Style::new(100, false);
    let result = cli::options::parse(std::env::args_os()).and_then(|(command, config)| match command {
        Command::Check(typed) => {
            let request = Request { suppressions: config.suppressions, ..Request::new(*typed)? };
            Ok(check::run(&request, started))
        }
        Command::Pages(asked) => text_of(asked).map(|text| print(&text, 0, plain)),
        Command::Replay(typed) => replay::run(typed, started, |text| warn(plain, text)).map(|shown| match shown {
            replay::Shown::Report(report, request) => check::write_report(&request, report),
            replay::Shown::Text(text, code) => print(&text, code, plain),
        }),
        Command::Test(typed) => testing::run(*typed, config),
        Command::Certificate(typed) => certificates::run(*typed, started),
        Command::Svcomp(typed) => {
            svcomp::run(*typed, started, |warning| warn(plain, warning)).map(|(text, code)| print(&text, code, plain))
        }
        Command::Coordinate(typed) => apart::coordinate(*typed, config.suppressions, started),
        Command::Work(typed) => Ok(apart::work(&typed, started)),
        Command::Unfold(typed) => nets::run(&typed, started),
        Command::Init(typed) => init::run(&typed),
    });
    result.unwrap_or_else(|UsageError { message, hint }| {
        complain(plain, &message, Some(&hint));
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

/// `VERIFY_LOG=debug` shows what the parts say of themselves.
fn log_to_stderr() {
    if let Ok(filter) = tracing_subscriber::EnvFilter::try_from_env("VERIFY_LOG") {
        tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr).init();
    }
}
