//! The exploration as its own thread does it: collects what is found, and confirms every violation.
use super::confirm::{Confirmed, confirm};
use super::demangle::demangled;
use super::describe;
use super::profile::{Current, Sampled};
use super::replay::Recording;
use crate::cli::high::{AfterBug, Request};
use crate::report::{Frame, Reason, Statistics, Violation};
use interp::fault::{Fault, Kind};
use interp::race::RaceLocation;
use interp::{Interference, Machine};
use por::{Flow, Move, Observer, Outcome};
use rustc_hash::FxHashSet;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// How many reasons for "unknown" are kept; the rest is only like them.
const MOST_REASONS: usize = 100;

/// What the exploration gave, complete or not.
#[derive(Clone, Debug, Default)]
pub(crate) struct Findings {
    /// Each distinct one once.
    pub violations: Vec<Violation>,
    /// How each can be shown again, if that is to be saved.
    pub recordings: Vec<Recording>,
    /// Each distinct reason once, in the order in which they were met.
    pub unknown: Vec<Reason>,
    /// Everything was explored.
    pub complete: bool,
    /// What a "safe" would rest on, sorted.
    pub assumptions: Vec<String>,
    /// Without the measurements.
    pub statistics: Statistics,
    /// How often the engine did what; known at the end.
    pub work: por::Work,
}

/// What the two threads have in common.
#[derive(Debug, Default)]
pub(crate) struct Shared {
    /// Asks the explorer to end.
    pub stop: AtomicBool,
    /// Longest execution so far, for the progress line.
    pub depth: AtomicU64,
    /// What the explorer is at, if that is measured.
    pub phase: Current,
    findings: Mutex<Findings>,
}

impl Shared {
    /// What is known so far.
    pub(crate) fn findings(&self) -> Findings {
        self.findings.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The counters so far.
    pub(crate) fn statistics(&self) -> Statistics {
        self.findings.lock().unwrap_or_else(PoisonError::into_inner).statistics
    }

    fn change(&self, change: impl FnOnce(&mut Findings)) {
        change(&mut self.findings.lock().unwrap_or_else(PoisonError::into_inner));
    }
}

/// An exploration that is about to start.
pub(crate) struct Search {
    machine: Machine,
    exploration: por::Options,
    /// The witness is told what the engine is at.
    measured: bool,
    witness: Witness,
}

impl Search {
    /// Prepares to explore a machine that was not started yet.
    pub(crate) fn new(machine: Machine, request: &Request, shared: Arc<Shared>) -> Self {
        let witness = Witness {
            pristine: machine.clone(),
            after_bug: request.after_bug,
            promotes: request.machine.interference != Interference::Synchronisation,
            keep_output: request.output.program_output,
            records: request.save_trace.is_some(),
            shared,
            bugs: FxHashSet::default(),
            reasons: FxHashSet::default(),
            raced: Vec::new(),
            restarts: 0,
            instructions: 0,
        };
        Search { machine, exploration: request.exploration.clone(), measured: request.output.statistics, witness }
    }

    /// Explores.
    pub(crate) fn run(self) -> Findings {
        let Search { mut machine, exploration, measured, mut witness } = self;
        let (outcome, counters) = loop {
            let (outcome, counters) = match measured {
                false => por::explore(&mut machine, &exploration, &mut witness),
                true => por::explore(&mut machine, &exploration, &mut Sampled::new(&mut witness)),
            };
            let raced = std::mem::take(&mut witness.raced);
            if outcome != Outcome::Restart && raced.is_empty() {
                break (outcome, counters);
            }
            witness.restarts += 1;
            witness.instructions += machine.instructions();
            machine.learn_promoted(raced);
            witness.pristine.learn_from(&machine);
            machine = witness.pristine.clone();
        };
        // How far it has come says nothing any more if it has come to the end.
        let counters = match outcome {
            Outcome::Complete => por::Statistics { explored: 0, ..counters },
            _ => counters,
        };
        match outcome {
            Outcome::Restart => unreachable!("the exploration has just been started again"),
            Outcome::Complete => witness.shared.change(|findings| findings.complete = true),
            Outcome::Stopped => {}
            Outcome::ExecutionLimit => {
                witness.note(Reason::ExecutionLimit(exploration.max_executions.unwrap_or(0)));
            }
            Outcome::DepthLimit => {
                let limit = crate::cli::units::show_count(exploration.max_depth);
                witness.note(Reason::Program(format!("an execution goes on after {limit} actions")));
            }
        }
        witness.publish(&machine, &counters);
        witness.shared.findings()
    }
}

/// Hears what the engine finds.
pub(crate) struct Witness {
    /// Never started; replays run on clones of it.
    pristine: Machine,
    after_bug: AfterBug,
    /// Memory with a race that was reported is promoted when the exploration goes on.
    promotes: bool,
    keep_output: bool,
    /// Schedules are to be saved.
    records: bool,
    pub(crate) shared: Arc<Shared>,
    bugs: FxHashSet<Identity>,
    reasons: FxHashSet<Reason>,
    /// What is to be promoted: the exploration was stopped to start again.
    raced: Vec<RaceLocation>,
    /// How often the exploration started again, and the instructions executed until then.
    restarts: u64,
    instructions: u64,
}

/// What makes two bugs the same: the kind and the places, whichever threads met there.
#[derive(PartialEq, Eq, Hash)]
struct Identity {
    kind: Kind,
    place: Vec<Frame>,
    related: Vec<Vec<Frame>>,
}

impl Identity {
    fn new(machine: &Machine, fault: &Fault) -> Self {
        let module = machine.module();
        // The innermost frame says where; how the program came there does not make another bug.
        let at = |stack| describe::frames(module, stack).into_iter().take(1).collect::<Vec<_>>();
        let place = at(&fault.stack);
        let mut related: Vec<Vec<Frame>> = fault.related.iter().map(|related| at(&related.stack)).collect();
        related.sort();
        match fault.kind {
            // Either access may be the second one.
            Kind::DataRace => {
                related.push(place);
                related.sort();
                Identity { kind: fault.kind, place: Vec::new(), related }
            }
            // All who wait are among the related.
            Kind::Deadlock => Identity { kind: fault.kind, place: Vec::new(), related },
            kind => Identity { kind, place, related },
        }
    }
}

impl Witness {
    fn note(&mut self, reason: Reason) {
        if self.reasons.len() < MOST_REASONS && self.reasons.insert(reason.clone()) {
            self.shared.change(|findings| findings.unknown.push(reason));
        }
    }

    fn publish(&self, machine: &Machine, counters: &por::Statistics) {
        self.shared.depth.store(counters.depth, Ordering::Relaxed);
        self.shared.change(|findings| {
            findings.statistics = Statistics {
                executions: counters.executions,
                blocked: counters.blocked,
                pruned: counters.pruned,
                events: counters.events,
                threads: counters.threads,
                cutoffs: counters.cutoffs,
                explored: counters.explored,
                ends: counters.ends(),
                promoted: self.pristine.promoted(),
                restarts: self.restarts,
                instructions: self.instructions + machine.instructions(),
                ..Statistics::default()
            };
            findings.work = counters.work;
            findings.assumptions = machine.assumptions().map(str::to_owned).collect();
        });
    }
}

/// The schedule with the end of the process, if the fault shows there, as its last move.
fn end_last(mut schedule: Vec<Move>, fault: &Fault) -> Vec<Move> {
    let end = fault.at_end.and_then(|ender| schedule.iter().rposition(|step| step.thread == ender));
    if let Some(end) = end {
        schedule[end..].rotate_left(1);
    }
    schedule
}

impl Observer<Machine> for Witness {
    fn violation(&mut self, fault: Fault, schedule: Vec<Move>) -> Flow {
        let identity = Identity::new(&self.pristine, &fault);
        let raced = fault.raced.filter(|_| self.promotes && self.after_bug == AfterBug::KeepGoing);
        if self.bugs.contains(&identity) && (raced.is_none() || fault.after_end) {
            return Flow::Continue;
        }
        match confirm(&self.pristine, &fault, &end_last(schedule, &fault)) {
            Confirmed::AfterEnd => return Flow::Continue,
            Confirmed::Mismatch(what) => {
                self.note(Reason::Internal(what));
                return Flow::Continue;
            }
            Confirmed::Violation { mut violation, moves, .. } => {
                if !self.keep_output {
                    violation.output = None;
                }
                if self.bugs.insert(identity) {
                    let recording = self.records.then(|| Recording::new(&self.pristine, moves));
                    self.shared.change(|findings| {
                        findings.violations.push(*violation);
                        findings.recordings.extend(recording);
                    });
                }
            }
        }
        if let Some(place) = raced {
            self.raced.push(place);
            return Flow::Stop;
        }
        match self.after_bug {
            AfterBug::Stop => Flow::Stop,
            AfterBug::KeepGoing => Flow::Continue,
        }
    }

    fn unknown(&mut self, reason: String) -> Flow {
        self.note(Reason::Program(demangled(&reason)));
        Flow::Continue
    }

    fn poll(&mut self, machine: &Machine, counters: &por::Statistics) -> Flow {
        self.publish(machine, counters);
        if self.shared.stop.load(Ordering::Relaxed) { Flow::Stop } else { Flow::Continue }
    }
}
