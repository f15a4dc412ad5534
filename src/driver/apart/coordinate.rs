//! `verify coordinate`: makes jobs, takes what comes of them, and draws the conclusion.
use super::super::monitor::{self, Signals};
use super::super::progress::Progress;
use super::super::wanted::Wanted;
use super::super::{Error, Loaded, add_what_is_known, load, machine, report};
use super::Program;
use super::files::{Files, write};
use super::journal::{Entry, Journal};
use super::pace::Pace;
use super::state::{Over, State};
use crate::driver::{Outcome, run_loaded};
use crate::replay::trace::Trace;
use crate::report::Answering;
use crate::report::text::{Detail, counted};
use crate::request::{AfterBug, Request};
use crate::units::show_count;
use frontend::ir::Module;
use por::{Engine, Reduction};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How often results are looked for.
const TICK: Duration = Duration::from_millis(10);

/// How the work is divided.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Plan {
    /// Where jobs and results are.
    pub directory: PathBuf,
    /// How long a job takes, if there is more to do.
    pub budget: Duration,
    /// How many jobs there are at a time, at most.
    pub tasks: usize,
    /// Go on with what is in the directory.
    pub resume: bool,
}

/// Where the files are.
struct Places {
    program: PathBuf,
    jobs: PathBuf,
    results: PathBuf,
    journal: PathBuf,
    over: PathBuf,
}

impl Places {
    fn of(directory: &Path) -> Self {
        Places {
            program: directory.join("program"),
            jobs: directory.join("jobs"),
            results: directory.join("results"),
            journal: directory.join("journal"),
            over: directory.join("over"),
        }
    }

    fn job(&self, number: u64) -> PathBuf {
        self.jobs.join(format!("{number}.job"))
    }

    fn result(&self, number: u64) -> PathBuf {
        self.results.join(format!("{number}.out"))
    }

    /// The numbers of the results that are there, smallest first.
    fn found(&self) -> std::io::Result<Vec<u64>> {
        let mut numbers = Vec::new();
        for entry in std::fs::read_dir(&self.results)? {
            let name = entry?.file_name();
            let number = name.to_str().and_then(|name| name.strip_suffix(".out")?.parse::<u64>().ok());
            numbers.extend(number);
        }
        numbers.sort_unstable();
        Ok(numbers)
    }
}

/// Explores by jobs. `warn` is told what weakens the answer, or makes it another one's.
pub(crate) fn coordinate(
    request: &Request,
    plan: &Plan,
    started: Instant,
    signals: &Signals,
    warn: impl Fn(&str),
) -> Result<Outcome, Error> {
    let module = match load(request, started, signals, &warn)? {
        Loaded::Module(module) => module,
        Loaded::Nothing(report) => return Ok(Outcome::Report(report, None)),
    };
    let tried = machine(request, Arc::clone(&module))?;
    let outcome = match tried.may_have_companions() {
        Ok(()) => by_jobs(request, &module, plan, started, signals, &warn)?,
        Err(reason) => Err(reason),
    };
    match outcome {
        Ok(outcome) => Ok(outcome),
        Err(reason) => {
            warn(&format!("the exploration cannot be divided, and goes on here alone: {reason}"));
            run_loaded(request, &module, started, signals, None)
        }
    }
}

/// The same, of a program that is loaded. An error within says why it cannot be divided.
fn by_jobs(
    request: &Request,
    module: &Arc<Module>,
    plan: &Plan,
    started: Instant,
    signals: &Signals,
    warn: impl Fn(&str),
) -> Result<Result<Outcome, String>, Error> {
    let files = |error| Error::System("the directory of jobs cannot be used", error);
    let places = Places::of(&plan.directory);
    let (mut desk, entries) = Desk::open(request, module, plan, places)?;
    for entry in entries {
        desk.repeat(entry)?;
    }
    let mut progress = Progress::new(request.output.detail == Detail::Brief);
    let stopped = loop {
        let begin = Instant::now();
        desk.take_results(&warn).map_err(files)?;
        desk.state.limit(request.exploration.max_executions);
        if desk.state.over().is_some() {
            break None;
        }
        if let Some(reason) = monitor::limit(&request.limits, started, signals) {
            break Some(reason);
        }
        desk.give_jobs(plan.tasks).map_err(files)?;
        desk.pace.note(begin.elapsed(), TICK);
        progress.show(|elapsed| desk.line(elapsed));
        std::thread::sleep(TICK);
    };
    progress.finish();
    desk.close(stopped.is_none()).map_err(files)?;
    let Desk { state, reduction, .. } = desk;
    let complete = match state.over() {
        Some(Over::Alone(reason)) => return Ok(Err(reason.clone())),
        over => over == Some(&Over::Complete),
    };
    let engine = super::super::engines::name(Engine::Dpor(reduction)).to_owned();
    let answered = Answering { engine, is_usual: true, workers: plan.tasks, alone: None };
    let (restarts, promoted) = (state.restarts(), state.promoted());
    let mut findings = state.collected.findings(restarts, promoted, answered, complete);
    findings.sort();
    let recordings = std::mem::take(&mut findings.recordings);
    let mut report = report(request, findings, stopped, started);
    let callees = machine(request, Arc::clone(module))?.program_callees();
    add_what_is_known(request, module, &callees, &mut report);
    let trace = (!recordings.is_empty()).then(|| {
        let found = report.violations.iter().zip(&recordings);
        Box::new(Trace::new(request, module, found))
    });
    Ok(Ok(Outcome::Report(Box::new(report), trace)))
}

/// The coordinator's desk: what it knows, and its files.
struct Desk {
    state: State,
    reduction: Reduction,
    files: Files,
    places: Places,
    journal: Journal,
    pace: Pace,
    /// Jobs that were written.
    written: Vec<u64>,
}

impl Desk {
    /// In a directory that has nothing of an exploration yet, or that of one that goes on: with what has happened.
    fn open(request: &Request, module: &Arc<Module>, plan: &Plan, places: Places) -> Result<(Self, Vec<Entry>), Error> {
        let io = |error| Error::System("the directory of jobs cannot be used", error);
        let Engine::Dpor(reduction) = request.exploration.engine else { unreachable!("the engine can be divided") };
        let program = Program {
            module: Module::clone(module),
            machine: request.machine.clone(),
            reduction,
            max_depth: request.exploration.max_depth,
            wanted: Wanted::of(request),
        };
        for directory in [&places.jobs, &places.results] {
            std::fs::create_dir_all(directory).map_err(io)?;
        }
        let there = places.journal.exists();
        if there && !plan.resume {
            return Err(Error::Directory(plan.directory.display().to_string(), UNFINISHED));
        }
        let before = if there { Some(std::fs::read(&places.program).map_err(io)?) } else { None };
        let files = Files::begin(&program, &places.program).map_err(io)?;
        let same = |before: &Vec<u8>| std::fs::read(&places.program).is_ok_and(|now| now == *before);
        let (journal, entries) = match &before {
            Some(before) if !same(before) => {
                write(&places.program, before).map_err(io)?;
                return Err(Error::Directory(plan.directory.display().to_string(), OTHER));
            }
            Some(_) => Journal::resume(&places.journal).map_err(io)?,
            None => (Journal::begin(&places.journal).map_err(io)?, Vec::new()),
        };
        let _ = std::fs::remove_file(&places.over);
        let state = State::new(reduction, request.after_bug == AfterBug::KeepGoing);
        let pace = Pace::new(plan.budget);
        Ok((Desk { state, reduction, files, places, journal, pace, written: Vec::new() }, entries))
    }

    /// What has happened before happens again.
    fn repeat(&mut self, entry: Entry) -> Result<(), Error> {
        match entry {
            Entry::Give { divide } => {
                self.state.give(divide);
            }
            Entry::Take(content) => {
                let product = self.files.read_product(&content);
                let damaged = |_| Error::Directory(self.places.journal.display().to_string(), DAMAGED);
                self.state.take(product.map_err(damaged)?);
            }
        }
        Ok(())
    }

    /// Takes the results that are there.
    fn take_results(&mut self, warn: impl Fn(&str)) -> std::io::Result<()> {
        for number in self.places.found()? {
            let file = self.places.result(number);
            let content = match std::fs::read(&file) {
                Ok(content) => content,
                // (Who has put it there may have thought better of it.)
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => continue,
                Err(error) => return Err(error),
            };
            match self.files.read_product(&content) {
                Ok(product) => {
                    self.journal.note(&Entry::Take(content))?;
                    self.state.take(product);
                }
                Err(unfit) => warn(&format!("{}: {unfit}; the job is to be done again", file.display())),
            }
            remove(&file)?;
        }
        self.clear()
    }

    /// Takes away the jobs that nobody has to do any more.
    fn clear(&mut self) -> std::io::Result<()> {
        let given: Vec<u64> = self.state.given().collect();
        let over = self.state.over().is_some();
        let (stay, go): (Vec<u64>, Vec<u64>) =
            self.written.iter().partition(|number| !over && given.binary_search(number).is_ok());
        self.written = stay;
        go.iter().try_for_each(|number| remove(&self.places.job(*number)))
    }

    /// Makes jobs until there are enough, and writes those that are not written yet.
    fn give_jobs(&mut self, most: usize) -> std::io::Result<()> {
        while self.state.given().len() < most {
            let divide = self.state.given().len() + 1 < most;
            if self.state.give(divide).is_none() {
                break;
            }
            self.journal.note(&Entry::Give { divide })?;
        }
        let budget = self.pace.budget(self.state.collected.jobs / most as u64).as_millis() as u64;
        let new: Vec<u64> = self.state.given().filter(|number| !self.written.contains(number)).collect();
        for number in new {
            let job = self.files.job(&self.state.job(number, budget));
            write(&self.places.job(number), &job)?;
            self.written.push(number);
        }
        Ok(())
    }

    /// For the progress line.
    fn line(&self, elapsed: Duration) -> String {
        let collected = &self.state.collected;
        format!(
            "{} done, {} open, {} executions, {} s",
            counted(collected.jobs, "job"),
            self.state.given().len(),
            show_count(collected.statistics.executions),
            elapsed.as_secs()
        )
    }

    /// It is over: nothing is left but what was found, unless it was stopped and may go on.
    fn close(&mut self, over: bool) -> std::io::Result<()> {
        for number in std::mem::take(&mut self.written) {
            remove(&self.places.job(number))?;
        }
        if over {
            remove(&self.places.journal)?;
        }
        tracing::debug!(prefixes = self.state.prefixes(), "the end of the coordinator");
        write(&self.places.over, b"")
    }
}

const UNFINISHED: &str =
    "there is an exploration in this directory; add --resume to go on with it, or name another directory";
const OTHER: &str = "the exploration in this directory is of another program, with other options, or by another build of \
                     verify; name another directory";
const DAMAGED: &str = "this journal cannot be read; name another directory to begin anew";

fn remove(file: &Path) -> std::io::Result<()> {
    match std::fs::remove_file(file) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}
