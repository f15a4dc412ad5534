//! Asking: a process of this program for each question.
use super::super::answer::{Answer, RESULT};
use super::super::mistake;
use super::results::Record;
use super::{Run, UsageError};
use crate::cli::svcomp::SvcompArguments;
use crate::driver::Signals;
use frontend::ir::DataModel;
use std::io::Read;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::time::{Duration, Instant};

/// How often a process is looked at.
const TICK: Duration = Duration::from_millis(10);

/// How much longer than its limit of time a process may take before it is ended.
const GRACE: Duration = Duration::from_secs(30);

/// Asks the questions, several at a time if that is asked for, and hands over each answer as it comes. A signal ends it early.
pub(super) fn all(
    typed: &SvcompArguments,
    runs: &[&Run],
    signals: &Signals,
    mut answered: impl FnMut(&Run, Record),
) -> Result<(), UsageError> {
    let executable = std::env::current_exe()
        .map_err(|error| mistake(format!("cannot find the program's own file: {error}"), "is /proc mounted?"))?;
    let next = AtomicUsize::new(0);
    let (sender, receiver) = mpsc::channel();
    std::thread::scope(|scope| {
        for _ in 0..typed.jobs.get().min(runs.len()) {
            let (sender, next, executable) = (sender.clone(), &next, &executable);
            scope.spawn(move || {
                while let Some(run) = runs.get(next.fetch_add(1, Ordering::Relaxed)) {
                    match ask(executable, typed, run, signals) {
                        // The receiver is there until all threads have ended.
                        Some(record) => drop(sender.send((*run, record))),
                        None => return,
                    }
                }
            });
        }
        drop(sender);
        receiver.iter().for_each(|(run, record)| answered(run, record));
    });
    Ok(())
}

/// The answer to one question; nothing after a signal.
fn ask(executable: &Path, typed: &SvcompArguments, run: &Run, signals: &Signals) -> Option<Record> {
    if signals.caught() {
        return None;
    }
    let started = Instant::now();
    let (task, property) = run.key();
    let record = |answer: String, reason: String| {
        let seconds = (started.elapsed().as_secs_f64() * 1000.0).round() / 1000.0;
        Some(Record { task: task.clone(), property: property.clone(), answer, reason, seconds })
    };
    let mut child = match command(executable, typed, run).spawn() {
        Ok(child) => child,
        Err(error) => return record(Answer::Unknown.to_string(), format!("cannot start a process: {error}")),
    };
    let limit = typed.time_limit.map(|limit| limit + GRACE);
    loop {
        match child.try_wait() {
            Ok(Some(_)) | Err(_) => break,
            Ok(None) if signals.caught() => {
                end(&mut child);
                return None;
            }
            Ok(None) if limit.is_some_and(|limit| started.elapsed() > limit) => end(&mut child),
            Ok(None) => std::thread::sleep(TICK),
        }
    }
    let mut said = String::new();
    if let Some(mut out) = child.stdout.take() {
        // What is no text is no answer either.
        let _ = out.read_to_string(&mut said);
    }
    let (reason, answer) = said.rsplit_once(RESULT).unwrap_or((&said, ""));
    match answer.trim().parse::<Answer>() {
        Ok(answer) => record(answer.to_string(), reason.trim().to_owned()),
        Err(()) => record(Answer::Unknown.to_string(), "the process ended without an answer".to_owned()),
    }
}

fn command(executable: &Path, typed: &SvcompArguments, run: &Run) -> Command {
    let mut command = Command::new(executable);
    command.arg("svcomp").arg("--property").arg(&run.check.file);
    let model = run.task.model.or(typed.data_model.map(DataModel::from));
    command.args(model.map(|model| match model {
        DataModel::Ilp32 => "--data-model=ILP32",
        DataModel::Lp64 => "--data-model=LP64",
    }));
    command.arg(format!("--nondet={}", typed.nondet));
    let milliseconds = |name: &str, limit: Duration| format!("{name}={}ms", limit.as_millis());
    command.args(typed.time_limit.map(|limit| milliseconds("--time-limit", limit)));
    command.args(typed.cpu_limit.map(|limit| milliseconds("--cpu-limit", limit)));
    command.args(typed.memory_limit.map(|limit| format!("--memory-limit={limit}")));
    command.args(typed.clang.iter().map(|clang| format!("--clang={clang}")));
    match &typed.witness_dir {
        Some(directory) => {
            // Each has a directory of its own, named after all of the definition's path.
            let name = run.task.definition.with_extension(run.check.property.name()).display().to_string();
            command.arg("--witness-dir").arg(directory.join(name.trim_start_matches(['.', '/']).replace('/', "-")));
        }
        None => drop(command.arg("--no-witness")),
    }
    command.arg("--").args(&run.task.inputs);
    // What it says is far shorter than what a pipe holds, so nobody has to read it before the end.
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
    command
}

/// Ends a process and waits for that.
fn end(child: &mut Child) {
    let _ = child.kill();
    let _ = child.wait();
}
