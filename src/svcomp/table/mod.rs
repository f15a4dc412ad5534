//! Many questions: those of task definitions, each asked in a process of its own, so that none can hurt another.
mod results;
mod text;
mod work;

use super::task::{self, Check, Task};
use super::{Done, mistake, property::Property};
use crate::cli::svcomp::SvcompArguments;
use crate::driver::Signals;
use crate::request::UsageError;
use results::{Record, Results};
use std::path::PathBuf;

/// One question of a task.
#[derive(Clone, Debug)]
pub(super) struct Run {
    /// The task.
    pub task: Task,
    /// Which of its properties.
    pub check: Check,
}

impl Run {
    /// What results are known by: the definition and the property file.
    fn key(&self) -> (String, String) {
        (self.task.definition.display().to_string(), self.check.file.display().to_string())
    }
}

/// Asks all questions of all definitions and directories.
pub(super) fn run(typed: &SvcompArguments, warn: impl Fn(&str)) -> Result<Done, UsageError> {
    let signals = Signals::catch().map_err(|error| mistake(format!("cannot catch signals: {error}"), "try again"))?;
    let runs = runs(typed, warn)?;
    let mut results = Results::open(typed.results.as_deref()).map_err(|error| {
        mistake(format!("cannot use the file of results: {error}"), "name another one after --results")
    })?;
    let open: Vec<&Run> = runs.iter().filter(|run| results.get(run).is_none()).collect();
    let mut failed = None;
    work::all(typed, &open, &signals, |run, record: Record| {
        eprintln!("{}", text::line(run, &record));
        if let Err(error) = results.add(run, record) {
            failed = Some(error);
        }
    })?;
    if let Some(error) = failed {
        return Err(mistake(format!("cannot keep the results: {error}"), "name another file after --results"));
    }
    Ok(text::table(&runs, &results))
}

/// What is to be asked.
fn runs(typed: &SvcompArguments, warn: impl Fn(&str)) -> Result<Vec<Run>, UsageError> {
    const HINT: &str = "docs/svcomp.md says what a task definition looks like";
    let only = match &typed.property {
        Some(file) => Some(Property::read(file).map_err(|error| mistake(error.to_string(), HINT))?.0),
        None => None,
    };
    let mut tasks = Vec::new();
    for input in &typed.inputs {
        if input.is_dir() {
            let found: Vec<PathBuf> = task::definitions(input)
                .map_err(|error| mistake(format!("{}: cannot be read: {error}", input.display()), HINT))?;
            for definition in found {
                // Other files go by such names too.
                match Task::read(&definition) {
                    Ok(task) => tasks.push(task),
                    Err(error) => warn(&error),
                }
            }
        } else {
            tasks.push(Task::read(input).map_err(|error| mistake(error, HINT))?);
        }
    }
    let runs = tasks.into_iter().flat_map(|task| {
        let checks = task.checks.clone().into_iter();
        checks.map(move |check| Run { task: task.clone(), check })
    });
    let runs: Vec<Run> = runs.filter(|run| only.as_ref().is_none_or(|only| *only == run.check.property)).collect();
    if runs.is_empty() {
        return Err(mistake("there is nothing to check: no task definition with such a property", HINT));
    }
    Ok(runs)
}
