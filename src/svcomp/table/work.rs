//! Asking: a process of this program for each question.
use super::super::answer::{Answer, RESULT};
use super::super::mistake;
use super::results::Record;
use super::{Run, UsageError};
use crate::children::{self, Ended};
use crate::cli::svcomp::SvcompArguments;
use crate::driver::Signals;
use frontend::ir::DataModel;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

/// How much longer than its limit of time a process may take before it is ended.
const GRACE: Duration = Duration::from_secs(30);

/// Asks the questions, several at a time if that is asked for, and hands over each answer as it comes. A signal ends it
/// early.
pub(super) fn all(
    typed: &SvcompArguments,
    runs: &[&Run],
    signals: &Signals,
    mut answered: impl FnMut(&Run, Record),
) -> Result<(), UsageError> {
    let executable = std::env::current_exe()
        .map_err(|error| mistake(format!("cannot find the program's own file: {error}"), "is /proc mounted?"))?;
    let limit = typed.time_limit.map(|limit| limit + GRACE);
    let command = |run: &&Run| command(&executable, typed, run);
    children::all(runs, typed.jobs.get(), limit, signals, command, |run, ended| answered(run, record(run, ended)));
    Ok(())
}

/// The answer to one question.
fn record(run: &Run, ended: Ended) -> Record {
    let (task, property) = run.key();
    let (reason, answer) = ended.out.rsplit_once(RESULT).unwrap_or((&ended.out, ""));
    let (answer, reason) = match (answer.trim().parse::<Answer>(), ended.status) {
        (Ok(answer), _) => (answer.to_string(), reason.trim().to_owned()),
        (Err(()), Err(error)) => (Answer::Unknown.to_string(), format!("cannot start a process: {error}")),
        (Err(()), Ok(_)) => (Answer::Unknown.to_string(), "the process ended without an answer".to_owned()),
    };
    Record { task, property, answer, reason, seconds: ended.seconds }
}

fn command(executable: &Path, typed: &SvcompArguments, run: &Run) -> Command {
    let mut command = Command::new(executable);
    command.arg("svcomp").arg("--property").arg(&run.check.file);
    let model = run.task.model.or(typed.data_model.map(DataModel::from));
    command.args(model.map(|model| match model {
        DataModel::Ilp32 => "--data-model=ILP32",
        DataModel::Lp64 => "--data-model=LP64",
    }));
    command.args(typed.nondet.map(|nondet| format!("--nondet={nondet}")));
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
    command
}
