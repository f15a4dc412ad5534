//! `verify work`: one job.
use super::super::findings::Shared;
use super::super::monitor::{self, Signals};
use super::super::recorder::Recorder;
use super::super::{Error, machine_of, start};
use super::files::{Loaded, Unfit, write};
use super::{Context, Ended, Facts, Job, Product, Program};
use crate::report::Reason;
use crate::request::Limits;
use interp::Machine;
use interp::engines::work as explore;
use por::Outcome;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// What became of a job.
pub(crate) enum Worked {
    /// What came of it was written.
    Written,
    /// It was not done, for this reason. Another worker can do it.
    Not(Reason),
    /// It is refused: which file, and why.
    Refused(String, Unfit),
}

/// Does the job of a file.
pub(crate) fn work(
    program: &Path,
    job: &Path,
    out: &Path,
    limits: &Limits,
    started: Instant,
    signals: &Signals,
) -> Result<Worked, Error> {
    let refused = |file: &Path, unfit| Ok(Worked::Refused(file.display().to_string(), unfit));
    let Loaded { program: about, files } = match Loaded::read(program) {
        Ok(loaded) => loaded,
        Err(unfit) => return refused(program, unfit),
    };
    let read = std::fs::read(job).map_err(Unfit::Unreadable).and_then(|content| files.read_job(&content));
    let read = match read {
        Ok(read) => read,
        Err(unfit) => return refused(job, unfit),
    };
    if let Some(reason) = monitor::limit(limits, started, signals) {
        return Ok(Worked::Not(reason));
    }
    let shared = Arc::new(Shared::default());
    let (theirs, ticket) = (Arc::clone(&shared), read.ticket);
    let receiver = start(move || explore_job(about, read, &theirs));
    let receiver = receiver.map_err(|error| Error::System("cannot start a thread", error))?;
    let ended = monitor::wait(limits, started, signals, &receiver, &shared.stop, |_| false, || {});
    let product = match (ended.result, ended.reason) {
        (Some(Ok(Some(product))), _) => product,
        (Some(Err(error)), _) => return Err(error),
        // A fault of ours comes again wherever the job is done.
        (None, Some(reason @ Reason::Internal(_))) => Product::of(ticket, Ended::Never(reason)),
        (_, Some(reason)) => return Ok(Worked::Not(reason)),
        (_, None) => Product::of(ticket, Ended::Never(Reason::Internal("the job ended without a result".to_owned()))),
    };
    let content = files.product(&product);
    if let Ended::Done(done) = &product.ended {
        tracing::debug!(seconds = product.seconds, bytes = content.len(), left = done.left(), "the end of a job");
    }
    write(out, &content).map_err(|error| Error::System("cannot write what came of the job", error))?;
    Ok(Worked::Written)
}

impl Product {
    /// Of a job of which there is nothing else to say.
    fn of(ticket: super::Ticket, ended: Ended) -> Self {
        Product {
            ticket,
            ended,
            statistics: por::Statistics::default(),
            instructions: 0,
            seconds: 0.0,
            bugs: Vec::new(),
            recordings: Vec::new(),
            others: false,
            reasons: Vec::new(),
            suppressed: Vec::new(),
            met: super::Met::default(),
            assumptions: Vec::new(),
            gathered: None,
        }
    }
}

/// Explores. Nothing: it was stopped.
fn explore_job(about: Program, job: Job, shared: &Arc<Shared>) -> Result<Option<Product>, Error> {
    let options = about.exploration();
    let Program { module, machine: settings, reduction, max_depth, wanted } = about;
    let Job { ticket, context, budget, task } = job;
    let begin = Instant::now();
    let mut machine = machine_of(Arc::new(module), runtime_model::registry(), settings, options.needs())?;
    if let Err(reason) = told(&mut machine, &context) {
        return Ok(Some(Product::of(ticket, Ended::Never(Reason::Internal(reason)))));
    }
    if let Err(reason) = machine.may_have_companions() {
        return Ok(Some(Product::of(ticket, Ended::Alone(reason))));
    }
    machine.explore_with_others();
    let mut recorder = Recorder::new(machine.clone(), wanted, Arc::clone(shared));
    recorder.pristine.learn_from(&machine);
    let (numbering, instructions) = (machine.numbering(), machine.instructions());
    let budget = Duration::from_millis(budget);
    let (outcome, statistics, done) = explore(&mut machine, &options, reduction, &task, &mut recorder, &mut |_| {
        begin.elapsed() < budget && !shared.stop.load(Ordering::Relaxed)
    });
    let raced = std::mem::take(&mut recorder.raced);
    let ended = match (outcome, done) {
        (_, Some(done)) => Ended::Done(done),
        (Outcome::Restart, _) if recorder.is_shortening() => Ended::Found,
        (Outcome::Restart, _) => Ended::Restart(Facts::of(&mut machine, raced)),
        (Outcome::Stopped, _) if recorder.takes_all_actions => {
            machine.learn_to_take_all_actions();
            Ended::Restart(Facts::of(&mut machine, raced))
        }
        (Outcome::Stopped, _) if !raced.is_empty() => Ended::Restart(Facts::of(&mut machine, raced)),
        (Outcome::Stopped, _) if recorder.has_bugs() => Ended::Found,
        (Outcome::DepthLimit, _) => {
            let limit = crate::units::show_count(max_depth);
            Ended::Never(Reason::Program(format!("an execution goes on after {limit} actions")))
        }
        _ => return Ok(None),
    };
    recorder.publish(&machine, &statistics);
    let (bugs, met) = (recorder.bugs(), recorder.met().clone());
    let findings = shared.findings();
    Ok(Some(Product {
        ended,
        statistics,
        instructions: machine.instructions() - instructions,
        seconds: begin.elapsed().as_secs_f64(),
        bugs,
        recordings: findings.recordings,
        others: findings.others,
        reasons: findings.unknown,
        suppressed: findings.suppressed,
        met,
        assumptions: findings.assumptions,
        gathered: (machine.numbering() != numbering).then(|| machine.gathered()),
        ..Product::of(ticket, Ended::Found)
    }))
}

/// Tells a machine that was not started what its job comes with.
fn told(machine: &mut Machine, context: &Context) -> Result<(), String> {
    match context {
        Context::Start(Facts { threads, facts, .. }) if !facts.is_empty() => {
            machine.number_threads(threads);
            machine.learn_facts(facts)
        }
        Context::Start(_) => Ok(()),
        Context::Gathered(gathered) => machine.take_over(gathered),
    }
}

impl Facts {
    /// What a machine has learned that stands wherever the exploration had to end, and these places.
    fn of(machine: &mut Machine, raced: Vec<interp::race::RaceLocation>) -> Self {
        machine.learn_promoted(raced);
        Facts { threads: machine.all_thread_numbers(), facts: machine.facts(), promoted: machine.promoted() }
    }
}
