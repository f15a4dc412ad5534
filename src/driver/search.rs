//! The exploration as its own thread does it: start after start, until everything is explored or enough is found.
use super::beside::{Answer, Beside, Found};
use super::checkpoint::{Checkpoint, Writer};
use super::engines::{self, Turn};
use super::findings::{Findings, Shared};
use super::hunt::{Hunter, Proof};
use super::panics;
use super::profile::Sampled;
use super::recorder::Recorder;
use super::wanted::Wanted;
use super::{PATIENCE, STACK_BYTES, unfolding};
use crate::report::{Answering, Reason};
use crate::request::{Certify, Patience, Request, Workers};
use interp::Machine;
use interp::engines::{explore_with, resume};
use por::System as _;
use por::jobs::{Explored, Jobs, divides};
use por::{Engine, Flow, Listener, Outcome};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

/// How long the first worker is alone where others were asked for.
const MOMENT: Duration = Duration::from_millis(50);

/// An exploration that is about to start.
pub(crate) struct Search {
    machine: Machine,
    exploration: por::Options,
    /// The engine is ours to choose.
    any_engine: bool,
    /// How many layouts of memory there are to explore.
    layouts: u32,
    /// The recorder is told what the engine is at.
    measured: bool,
    workers: Workers,
    recorder: Recorder,
    /// The exploration of a checkpoint from which this one goes on.
    from: Option<Vec<u8>>,
    /// The certificate that is wanted of a "safe", and what was asked for in all.
    certify: Option<(Certify, Request)>,
}

impl Search {
    /// Prepares to explore a machine that was not started yet. `writer` writes checkpoints.
    pub(crate) fn new(machine: Machine, request: &Request, shared: Arc<Shared>, writer: Option<Writer>) -> Self {
        let mut recorder = Recorder::new(machine.clone(), Wanted::of(request), Arc::clone(&shared));
        recorder.hunter = Hunter::new(request.hunt, request.exploration.needs());
        recorder.writer = writer;
        recorder.beside = Beside::new(request, shared);
        let measured = request.output.statistics;
        let exploration = request.exploration.clone();
        let certify = request.certify.clone().map(|plan| (plan, request.clone()));
        let Request { any_engine, layouts, workers, .. } = *request;
        Search { machine, exploration, any_engine, layouts, measured, workers, recorder, from: None, certify }
    }

    /// Goes on from a checkpoint instead of beginning. An error says why it cannot.
    pub(crate) fn resume(&mut self, checkpoint: Checkpoint) -> Result<(), String> {
        self.machine.take_over(&checkpoint.machine)?;
        self.from = Some(self.recorder.resume(&self.machine, checkpoint));
        Ok(())
    }

    /// Explores.
    pub(crate) fn run(self) -> Findings {
        let Search { mut machine, exploration: asked, any_engine, layouts, measured, workers, .. } = self;
        let Search { mut recorder, mut from, certify, .. } = self;
        let jobs = jobs(workers);
        let (mut most, mut alone, mut by_another) = (1, None, false);
        if recorder.hunt_first() == Proof::None {
            return recorder.shared.findings();
        }
        let (mut exploration, mut turn) = (asked.clone(), Turn::Asked);
        let (outcome, counters, engine) = loop {
            let from = from.take();
            recorder.has_company = turn.has_company();
            recorder.may_be_answered_by_others(&por::Statistics::default());
            let explored = match measured {
                false => explore(&mut machine, &exploration, &mut recorder, jobs, from.as_deref()),
                true => explore(&mut machine, &exploration, &mut Sampled::new(&mut recorder), jobs, from.as_deref()),
            };
            let (mut outcome, mut counters) = match explored {
                Ok(explored) => {
                    most = most.max(explored.workers);
                    alone = explored.alone;
                    (explored.outcome, explored.statistics)
                }
                Err(por::Corrupt(what)) => {
                    recorder.note(Reason::Program(format!("the exploration cannot go on from the checkpoint: {what}")));
                    (Outcome::Stopped, por::Statistics::default())
                }
            };
            let mut engine = exploration.engine;
            let raced = std::mem::take(&mut recorder.raced);
            if outcome == Outcome::Restart && recorder.is_shortening() {
                break (Outcome::Stopped, counters, engine);
            }
            if outcome == Outcome::Complete && raced.is_empty() {
                recorder.may_be_answered_better(&counters);
            }
            let limited = matches!(outcome, Outcome::DepthLimit | Outcome::StateLimit);
            let next = match recorder.answer.take() {
                Some(Answer { engine: other, found: Found::Safe(answered) }) => {
                    let (done, explored) = *answered;
                    recorder.give_way(&machine);
                    (machine, outcome, counters, engine) = (done, Outcome::Complete, explored, other);
                    by_another = true;
                    None
                }
                Some(Answer { engine: other, found: Found::Bug(bug) }) => {
                    let (met, fault, schedule) = *bug;
                    let next = Turn::Found(other);
                    recorder.give_way(&machine);
                    recorder.pristine.prepare(next.exploration(&asked, met.reads_inputs()).needs());
                    recorder.pristine.learn_from(&met);
                    // (Whether to go on is asked again, by the exploration that looks for a shorter way.)
                    let _ = recorder.violation(fault, schedule);
                    machine = met;
                    Some(next)
                }
                None => turn.next(machine.reads_inputs()).filter(|_| limited && !recorder.is_shortening()),
            };
            if let Some(next) = next {
                turn = next;
                exploration = turn.exploration(&asked, machine.reads_inputs());
                recorder.pristine.prepare(exploration.needs());
            } else if outcome != Outcome::Restart && raced.is_empty() && !recorder.takes_all_actions {
                match recorder.next_layout(&machine, outcome, &counters, layouts) {
                    Some(next) => {
                        (machine, by_another) = (next, false);
                        continue;
                    }
                    None => break (outcome, counters, engine),
                }
            }
            if !matches!(turn, Turn::Found(_)) && machine.reads_inputs() && !recorder.pristine.reads_inputs() {
                turn = if any_engine { Turn::first(&asked) } else { Turn::Asked };
                exploration = turn.exploration(&asked, true);
                recorder.pristine.prepare(exploration.needs());
            }
            machine = recorder.restart(machine, raced);
        };
        by_another |= matches!(turn, Turn::Found(_));
        let is_usual = !by_another && (engine != Engine::States || asked.engine == Engine::States);
        let beside = recorder.beside.take();
        beside.iter().for_each(Beside::dismiss);
        let may_use_processors = beside.as_ref().is_some_and(Beside::may_use_processors);
        most = most.max(1 + beside.as_ref().map_or(0, Beside::used));
        let alone = if workers.is_asked && workers.most > 1 { why_alone(engine, alone) } else { None };
        let alone = alone.filter(|_| !may_use_processors);
        let answered = Answering { engine: engines::name(engine).to_owned(), is_usual, workers: most, alone };
        recorder.shared.change(|findings| findings.answered = Some(answered));
        // How far it has come says nothing any more if it has come to the end.
        let counters = match outcome {
            Outcome::Complete => por::Statistics { explored: 0, ..counters },
            _ => counters,
        };
        match outcome {
            Outcome::Restart => unreachable!("the exploration has just been started again"),
            Outcome::Complete => recorder.shared.change(|findings| findings.complete = true),
            Outcome::Stopped => {}
            Outcome::ExecutionLimit => {
                recorder.note(Reason::ExecutionLimit(exploration.max_executions.unwrap_or(0)));
            }
            Outcome::StateLimit => {
                let limit = crate::units::show_count(exploration.max_states.unwrap_or(0));
                recorder.note(Reason::Program(format!("limit of {limit} states reached")));
            }
            Outcome::DepthLimit => {
                let limit = crate::units::show_count(exploration.max_depth);
                recorder.note(Reason::Program(format!("an execution goes on after {limit} actions")));
            }
        }
        if let Some(writer) = &recorder.writer {
            let conclusive = outcome == Outcome::Complete || recorder.go_on() == Flow::Stop;
            if conclusive {
                writer.remove();
            } else if writer.is_usable() {
                let file = writer.file().display().to_string();
                recorder.shared.change(|findings| findings.checkpoint = Some(file));
            }
        }
        recorder.publish(&machine, &counters);
        // (They may take a moment to end, and what was found is told by then.)
        drop(beside);
        if let Some((plan, request)) = certify.filter(|_| outcome == Outcome::Complete && recorder.has_found_nothing())
        {
            recorder.certify(&plan, &request, &machine);
        }
        if let Some(prefix) = recorder.prefix.take() {
            let stop = || recorder.shared.stop.load(Ordering::Relaxed);
            // A picture that cannot be drawn changes nothing in the verdict.
            let described = match by_another {
                true => Ok(Err(unfolding::by_another(engines::name(engine)))),
                false => panics::caught(|| unfolding::describe(&recorder.pristine, prefix, counters.events, stop)),
            };
            let described = described.unwrap_or_else(|fault| Err(format!("internal error: {fault}")));
            recorder.shared.change(|findings| findings.unfolding = Some(described));
        }
        recorder.shared.findings()
    }
}

fn explore(
    machine: &mut Machine,
    options: &por::Options,
    listener: &mut (dyn Listener<Machine> + Send),
    jobs: Jobs,
    from: Option<&[u8]>,
) -> Result<Explored, por::Corrupt> {
    match from {
        None => Ok(explore_with(machine, options, listener, jobs)),
        Some(exploration) => {
            let (outcome, statistics) = resume(machine, options, listener, exploration)?;
            Ok(Explored { outcome, statistics, workers: 1, alone: None })
        }
    }
}

/// How the work is divided among so many workers.
fn jobs(workers: Workers) -> Jobs {
    let patience = match workers.patience {
        Patience::None => Duration::ZERO,
        Patience::Moment => MOMENT,
        Patience::Long => PATIENCE,
    };
    Jobs { workers: workers.most, patience, stack: STACK_BYTES }
}

/// Why the engine has had only one worker, if that is not because it took no time.
fn why_alone(engine: Engine, reason: Option<String>) -> Option<String> {
    match divides(engine) {
        true => reason,
        false => {
            let name = engines::name(engine);
            Some(format!("the engine `{name}` works alone; `optimal`, `observers` and `source` use several processors"))
        }
    }
}
