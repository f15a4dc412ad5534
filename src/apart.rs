//! `verify coordinate` and `verify work`: one exploration by several processes.
use crate::check;
use crate::cli::apart::{CoordinateArguments, WorkArguments};
use crate::cli::low::{CheckArguments, EngineName, Switch};
use crate::config::suppress::Suppression;
use crate::console::{MISTAKE, complain, warn};
use crate::driver::apart::{self, Plan, Worked};
use crate::driver::{self, Outcome};
use crate::report::style::Style;
use crate::request::{Hunting, Limits, Request, UsageError};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Instant;

/// The exit code of a job that was not done.
const NOT_DONE: u8 = 3;

/// Does `verify coordinate`. `started` is when the program began.
pub(crate) fn coordinate(
    typed: CoordinateArguments,
    suppressions: Arc<[Suppression]>,
    started: Instant,
) -> Result<ExitCode, UsageError> {
    without_meaning(&typed)?;
    let CoordinateArguments { dir, budget, tasks, check } = typed;
    let (resume, is_ours) = (check.resume, check.engine == EngineName::Auto);
    // (Jobs are those of one engine, which is as if it had been named.)
    let check = CheckArguments { resume: false, symmetry: check.symmetry.or(Some(Switch::Off)), ..check };
    let mut request = Request { suppressions, ..Request::new(check)? };
    if is_ours {
        request.exploration.engine = por::Engine::Dpor(por::Reduction::Optimal);
        request.exploration.cutoffs = None;
    }
    request.others_beside = false;
    if request.hunt.hunting == Hunting::Only {
        return Err(no_meaning("--hunt only"));
    }
    let tasks = tasks.map_or_else(default_tasks, std::num::NonZeroUsize::get);
    let plan = Plan { directory: dir, budget, tasks, resume };
    let style = request.output.error_style;
    let outcome = driver::ready()
        .and_then(|signals| apart::coordinate(&request, &plan, started, &signals, |warning| warn(style, warning)));
    match outcome {
        Ok(Outcome::Report(report, _)) => Ok(check::write_report(&request, report)),
        Ok(Outcome::Code(_)) => unreachable!("nothing is printed instead"),
        Err(error) => {
            complain(style, &error.to_string(), None);
            Ok(ExitCode::from(MISTAKE))
        }
    }
}

/// Twice as many jobs as processors: nobody waits while what came of one is looked at.
fn default_tasks() -> usize {
    2 * std::thread::available_parallelism().map_or(1, std::num::NonZeroUsize::get)
}

/// Does `verify work`.
pub(crate) fn work(typed: &WorkArguments, started: Instant) -> ExitCode {
    let style = Style::new(100, false);
    let limits = Limits { time: typed.time_limit, memory: typed.memory_limit, ..Limits::default() };
    let worked = driver::ready()
        .and_then(|signals| apart::work(&typed.program, &typed.job, &typed.out, &limits, started, &signals));
    match worked {
        Ok(Worked::Written) => ExitCode::SUCCESS,
        Ok(Worked::Not(reason)) => {
            complain(style, &format!("the job was not done: {reason}"), Some("give it to another worker, or again"));
            ExitCode::from(NOT_DONE)
        }
        Ok(Worked::Refused(file, unfit)) => {
            let hint = "coordinator and workers must be the same build of verify, and work on the same program";
            complain(style, &format!("{file} is refused: {unfit}"), Some(hint));
            ExitCode::from(MISTAKE)
        }
        Err(error) => {
            complain(style, &error.to_string(), None);
            ExitCode::from(MISTAKE)
        }
    }
}

fn no_meaning(name: &str) -> UsageError {
    UsageError {
        message: format!("{name} has no meaning for `verify coordinate`, which leaves all work to others"),
        hint: format!("leave out {name}, or use `verify check`"),
    }
}

/// Complains of options that ask for what is not done here.
fn without_meaning(typed: &CoordinateArguments) -> Result<(), UsageError> {
    let check = &typed.check;
    let given = [
        ("--certify", check.certify.is_some()),
        ("--checkpoint", check.checkpoint.is_some()),
        ("--save-trace", check.save_trace.is_some()),
        ("--jobs", check.jobs.jobs.is_some()),
        ("--layouts", check.layouts > 1),
        ("--coverage", !check.coverage.is_empty()),
    ];
    if let Some((name, _)) = given.into_iter().chain(check.instead.given()).find(|(_, given)| *given) {
        return Err(no_meaning(name));
    }
    match check.engine {
        EngineName::Auto | EngineName::Optimal | EngineName::Observers | EngineName::Source => Ok(()),
        EngineName::Unfolding | EngineName::States | EngineName::Naive => Err(UsageError {
            message: "this engine cannot be divided among workers".to_owned(),
            hint: "leave out --engine, or use optimal, observers or source".to_owned(),
        }),
    }
}
