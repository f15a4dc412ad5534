//! `verify svcomp`: questions and answers by the rules of the competition on software verification (SV-COMP).
//!
//! A question is a program, a property and the sizes of the target; [`settings`] says how it is explored and [`judge`]
//! what the result means by the rules. Task definitions hold several questions with the answers that are expected;
//! [`table`] asks them all. docs/svcomp.md says which of our assumptions the rules make too.
mod answer;
mod inline;
mod judge;
mod property;
mod settings;
mod table;
mod task;
mod witness;

use crate::cli::svcomp::SvcompArguments;
use crate::driver::{self, Outcome};
use crate::report::Report;
use crate::request::{Limits, Request, UsageError};
use answer::{Answer, RESULT};
use frontend::ir::DataModel;
use judge::Judgement;
use property::Property;
use settings::Question;
use std::path::PathBuf;
use std::time::Instant;

/// The text to print, and the exit code.
pub(crate) type Done = (String, u8);

/// Does what was asked for. `started` is when the program began; `warn` is told what does not change the answer.
pub(crate) fn run(typed: SvcompArguments, started: Instant, warn: impl Fn(&str)) -> Result<Done, UsageError> {
    let tasks = typed.inputs.iter().filter(|input| task::is_definition(input) || input.is_dir()).count();
    if tasks > 0 {
        if tasks < typed.inputs.len() {
            return Err(mistake("task definitions and program files together", "name either the one or the other"));
        }
        return table::run(&typed, warn);
    }
    let question = question(&typed)?;
    let Some(file) = &typed.property else {
        return Err(mistake("no property: what is to be shown?", "add --property FILE.prp, or name a task definition"));
    };
    let (property, text) = Property::read(file).map_err(|error| {
        let message = match error {
            property::PropertyError::Unreadable(..) => error.to_string(),
            other => format!("{}: {other}", file.display()),
        };
        mistake(message, "docs/svcomp.md lists the properties")
    })?;
    let (judgement, report) = answer(&property, &question, started)?;
    if !typed.no_witness && judgement.answer != Answer::Unknown {
        let directory = typed.witness_dir.clone().unwrap_or_else(|| PathBuf::from("."));
        let written = witness::Origin::new(&question, &text)
            .and_then(|origin| witness::write(&directory, &origin, &property, &judgement, report.as_deref()));
        if let Err(error) = written {
            warn(&format!("no witness in {}: {error}", directory.display()));
        }
    }
    let code = judgement.answer.exit_code();
    Ok((format!("{}\n{RESULT}{}\n", judgement.reason, judgement.answer), code))
}

fn question(typed: &SvcompArguments) -> Result<Question, UsageError> {
    if let Some(input) = typed.inputs.iter().find(|input| !input.is_file()) {
        return Err(mistake(format!("{}: no such file", input.display()), "name the files of the program"));
    }
    Ok(Question {
        inputs: typed.inputs.clone(),
        model: typed.data_model.map_or(DataModel::Lp64, DataModel::from),
        nondet: typed.nondet,
        limits: Limits { time: typed.time_limit, cpu: typed.cpu_limit, memory: typed.memory_limit },
        clang: typed.clang.clone(),
    })
}

/// Explores, and judges what comes out of it.
fn answer(
    property: &Property,
    question: &Question,
    started: Instant,
) -> Result<(Judgement, Option<Box<Report>>), UsageError> {
    let Some(request) = settings::request(property, question)? else {
        return Ok((Judgement::unknown("whether every execution ends is not checked"), None));
    };
    let mut explored = explore(&request, started);
    if let Ok(report) = &explored
        && judge::needs_fresh_addresses(property, report)
    {
        explored = explore(&settings::with_fresh_addresses(&request), started);
    }
    let report = match explored {
        Ok(report) => report,
        Err(reason) => return Ok((Judgement::unknown(reason), None)),
    };
    Ok((judge::judge(property, &report), Some(report)))
}

/// A run that cannot begin has a reason too: programs that our compiler rejects are an everyday matter.
fn explore(request: &Request, started: Instant) -> Result<Box<Report>, String> {
    match driver::run(request, started, |_| {}, None) {
        Ok(Outcome::Report(report, _)) => Ok(report),
        Ok(Outcome::Code(_)) => unreachable!("nobody asked for the code"),
        Err(error) => Err(error.to_string()),
    }
}

fn mistake(message: impl Into<String>, hint: &str) -> UsageError {
    UsageError { message: message.into(), hint: hint.to_owned() }
}
