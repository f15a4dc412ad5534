//! `verify replay --native`: the real program, made to take the schedule.
//!
//! [`schedule`] says which thread does what next, [`build`] compiles the program with hooks and a runtime
//! (`runtime/*.c`) that holds threads back there; what came of it is read from a file that the runtime writes, and
//! [`judge`] compares it with the report.
mod build;
mod judge;
mod schedule;

use crate::driver::Recording;
use crate::report::Violation;
use crate::report::given::Given;
use crate::request::Request;
use build::Executable;
use frontend::ir::ResultType;
use interp::fault::Kind;
use interp::{External, Machine};
use schedule::Schedule;
use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Component, Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::Duration;
use wait_timeout::ChildExt;

/// The longest that a program may run.
const LIMIT: Duration = Duration::from_secs(60);

/// How the real program is run.
#[derive(Clone, Debug)]
pub(super) struct Settings {
    /// Whether it runs in a debugger.
    pub(super) gdb: bool,
    /// The directory in which the files of the run stay, if they are to be kept.
    pub(super) keep: Option<PathBuf>,
}

/// The result of the run.
#[derive(Debug)]
pub(super) enum Outcome {
    /// The bug happened: what was seen, in words.
    Happened(String),
    /// The bug did not happen, or cannot be made to: the reason.
    No(String),
}

/// Runs the real program.
pub(super) fn run(
    request: &Request,
    pristine: &Machine,
    recording: &Recording,
    violation: &Violation,
    settings: &Settings,
) -> Result<Outcome, std::io::Error> {
    if let Some(why) = unsupported(request, violation) {
        return Ok(Outcome::No(why));
    }
    let schedule = match Schedule::new(pristine, recording, violation) {
        Ok(schedule) => schedule,
        Err(why) => return Ok(Outcome::No(why)),
    };
    let scratch = tempfile::Builder::new().prefix("verify-").tempdir()?;
    let directory = match &settings.keep {
        Some(keep) => {
            std::fs::create_dir_all(keep)?;
            std::fs::canonicalize(keep)?
        }
        None => scratch.path().to_owned(),
    };
    // Five seconds are too short to step through a program.
    let patience = if settings.gdb { 3_600_000 } else { 5_000 };
    let externals: Vec<(&str, External, ResultType)> = pristine.externals().collect();
    let ready = Executable::build(&request.inputs, &request.loading, &directory, patience, violation.kind, &externals)
        .and_then(|executable| Ok((executable.ranges(&schedule.spots)?, executable)));
    let (ranges, executable) = match ready {
        Ok(ready) => ready,
        Err(why) => return Ok(Outcome::No(why)),
    };
    let text = schedule.text(|name| executable.address(name), &ranges);
    std::fs::write(directory.join("schedule"), text)?;
    let outcome = directory.join("outcome");
    let _ = std::fs::remove_file(&outcome);
    let status = start(request, violation.given.as_ref(), &executable.path, &directory, settings)?;
    let told = std::fs::read_to_string(&outcome).unwrap_or_default();
    let Some(status) = status else {
        return Ok(Outcome::No(format!("it was still running after {} s", LIMIT.as_secs())));
    };
    let signal = if settings.gdb { None } else { status.signal() };
    let seen = judge::Seen { told: judge::Told::read(&told), signal, status: status.code().unwrap_or(0) };
    Ok(judge::judge(violation, schedule.fault, &seen, schedule.len()))
}

/// Why this violation cannot be shown in the real program, if that is known from the beginning.
fn unsupported(request: &Request, violation: &Violation) -> Option<String> {
    let source = |input: &&PathBuf| {
        let extension = input.extension().and_then(|extension| extension.to_str());
        !matches!(extension, Some("c" | "i" | "cc" | "cpp" | "cxx" | "c++" | "C" | "ii"))
    };
    if !request.loading.commands.is_empty() {
        return Some("files of a compilation database are not compiled natively".to_owned());
    }
    if let Some(input) = request.inputs.iter().find(source) {
        return Some(format!("{} is no source, so it has no hooks", input.display()));
    }
    if request.machine.entry != "main" {
        return Some(format!("the program starts with `{}` instead of main", request.machine.entry));
    }
    let kind = violation.kind;
    let invisible =
        matches!(kind, Kind::Livelock | Kind::EndlessLoop | Kind::Uninitialised | Kind::Leak | Kind::Misuse);
    invisible.then(|| format!("a real program shows nothing of a violation of kind {}", kind.name()))
}

/// Runs the program with the arguments, files and environment of the trace, and what the violation says of those that
/// are open.
fn start(
    request: &Request,
    given: Option<&Given>,
    program: &Path,
    directory: &Path,
    settings: &Settings,
) -> std::io::Result<Option<ExitStatus>> {
    let machine = &request.machine;
    let place = directory.join("files");
    std::fs::create_dir_all(&place)?;
    let mut input = Stdio::null();
    for (name, content) in &machine.files {
        if name == "/dev/stdin" {
            let file = directory.join("stdin");
            std::fs::write(&file, content)?;
            input = std::fs::File::open(file)?.into();
            continue;
        }
        let relative =
            Path::new(name).components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
        if !relative {
            let message = format!("the program wants a file `{name}`, which is not below its own directory");
            return Err(std::io::Error::other(message));
        }
        let file = place.join(name);
        file.parent().map_or(Ok(()), std::fs::create_dir_all)?;
        std::fs::write(file, content)?;
    }
    let given_arguments = given.and_then(|given| given.args.as_ref());
    let arguments: Vec<OsString> = match given_arguments {
        Some(args) => args.iter().map(|arg| OsString::from_vec(arg.clone())).collect(),
        None => machine.arguments.iter().skip(1).map(OsString::from).collect(),
    };
    let stdin = directory.join("stdin");
    if let Some(bytes) = given.and_then(|given| given.stdin.as_ref()) {
        std::fs::write(&stdin, bytes)?;
        input = std::fs::File::open(&stdin)?.into();
    }
    if settings.gdb {
        let mut gdb = Command::new("gdb");
        gdb.args(["-q", "-ex", "set startup-with-shell off", "-ex", "set confirm off", "-ex", "unset environment"]);
        gdb.args(machine.environment.iter().flat_map(|variable| ["-ex".into(), format!("set environment {variable}")]));
        gdb.args(["-ex", "run", "--args"]).arg(program).args(arguments).current_dir(&place);
        return gdb.status().map(Some);
    }
    let mut command = Command::new(program);
    command.args(arguments).env_clear().current_dir(&place).stdin(input);
    command.arg0(machine.arguments.first().map_or("program", String::as_str));
    for variable in &machine.environment {
        command.envs(variable.split_once('='));
    }
    // What it prints is not part of the result.
    let output = || std::fs::File::create(directory.join("output"));
    command.stdout(output()?).stderr(Stdio::null());
    wait(command.spawn()?)
}

/// Waits for the end of the program; nothing if it had to be killed.
fn wait(mut child: Child) -> std::io::Result<Option<ExitStatus>> {
    let status = child.wait_timeout(LIMIT)?;
    if status.is_none() {
        child.kill()?;
        child.wait()?;
    }
    Ok(status)
}
