//! The exploration as its own thread does it: collects what is found, and confirms every violation.
use super::confirm::{Confirmed, confirm};
use super::demangle::demangled;
use super::describe;
use super::profile::{Current, Sampled};
use crate::cli::high::{AfterBug, Effort, Request};
use crate::report::{Frame, Reason, Statistics, Violation};
use interp::fault::{Fault, Kind};
use interp::race::RaceLocation;
use interp::{Interference, Machine};
use por::{Ending, Flow, Move, Observer, Outcome};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// How many reasons for "unknown" are kept; the rest is only like them.
const MOST_REASONS: usize = 100;

/// For how many executions the time between two polls counts.
const POLL: u32 = 10;

/// What the exploration gave, complete or not.
#[derive(Clone, Debug, Default)]
pub(crate) struct Findings {
    /// Each distinct one once.
    pub violations: Vec<Violation>,
    /// Each distinct reason once, in the order in which they were met.
    pub unknown: Vec<Reason>,
    /// Everything was explored.
    pub complete: bool,
    /// There are bugs that nobody asked for, since one is enough.
    pub others: bool,
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
            shared,
            bugs: FxHashMap::default(),
            effort: 0,
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
            if outcome == Outcome::Restart && witness.is_shortening() {
                break (Outcome::Stopped, counters);
            }
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
    pub(crate) shared: Arc<Shared>,
    bugs: FxHashMap<Identity, Found>,
    /// Executions since the first one was found.
    effort: u32,
    reasons: FxHashSet<Reason>,
    /// What is to be promoted: the exploration was stopped to start again.
    raced: Vec<RaceLocation>,
    /// How often the exploration started again, and the instructions executed until then.
    restarts: u64,
    instructions: u64,
}

/// A bug that was found.
struct Found {
    /// Its place in the list of all.
    index: usize,
    /// How many moves lead to it.
    length: usize,
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
    /// Whether there is a bug already, and this only looks for a shorter way to it.
    fn is_shortening(&self) -> bool {
        !self.bugs.is_empty() && self.after_bug != AfterBug::KeepGoing
    }

    /// Whether to go on looking for bugs, or for a shorter way to the one that was found.
    fn go_on(&self) -> Flow {
        let enough = match self.after_bug {
            AfterBug::Stop => true,
            AfterBug::Shorten(Effort::Executions(most)) => self.effort >= most,
            AfterBug::Shorten(Effort::All) | AfterBug::KeepGoing => false,
        };
        if enough && !self.bugs.is_empty() { Flow::Stop } else { Flow::Continue }
    }

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
            findings.assumptions = machine.assumptions().map(|assumption| assumption.name().to_owned()).collect();
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
        let wanted = match self.bugs.get(&identity) {
            Some(found) => schedule.len() < found.length,
            None => !self.is_shortening(),
        };
        if !wanted && !self.bugs.contains_key(&identity) {
            self.shared.change(|findings| findings.others = true);
        }
        if !wanted && (raced.is_none() || fault.after_end) {
            return self.go_on();
        }
        let length = schedule.len();
        match confirm(&self.pristine, &fault, &end_last(schedule, &fault)) {
            Confirmed::AfterEnd => return Flow::Continue,
            Confirmed::Mismatch(what) => {
                self.note(Reason::Internal(what));
                return Flow::Continue;
            }
            Confirmed::Violation(mut violation) => {
                if !self.keep_output {
                    violation.output = None;
                }
                let index = self.bugs.get(&identity).map_or(self.bugs.len(), |found| found.index);
                if wanted {
                    self.bugs.insert(identity, Found { index, length });
                    self.shared.change(|findings| match findings.violations.get_mut(index) {
                        Some(longer) => *longer = *violation,
                        None => findings.violations.push(*violation),
                    });
                }
            }
        }
        if let Some(place) = raced {
            self.raced.push(place);
            return Flow::Stop;
        }
        self.go_on()
    }

    fn execution(&mut self, _: &Machine, _: Ending, _: &[Move]) -> Flow {
        if self.is_shortening() {
            self.effort = self.effort.saturating_add(1);
        }
        self.go_on()
    }

    fn unknown(&mut self, reason: String) -> Flow {
        if !self.is_shortening() {
            self.note(Reason::Program(demangled(&reason)));
        }
        Flow::Continue
    }

    fn poll(&mut self, machine: &Machine, counters: &por::Statistics) -> Flow {
        self.publish(machine, counters);
        // Executions may be long.
        if self.is_shortening() {
            self.effort = self.effort.saturating_add(POLL);
        }
        if self.go_on() == Flow::Stop || self.shared.stop.load(Ordering::Relaxed) {
            return Flow::Stop;
        }
        Flow::Continue
    }
}
