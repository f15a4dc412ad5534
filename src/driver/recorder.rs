//! What the driver makes of what an engine finds: each bug is confirmed and kept once, reasons for "unknown" are
//! collected, checkpoints are written.
use super::beside::{Answer, Beside};
use super::certify::{self, Missing};
use super::checkpoint::{Bug, Checkpoint, Writer};
use super::confirm::{Confirmed, confirm, end_last};
use super::demangle::demangled;
use super::findings::{Findings, Shared};
use super::hunt::Hunter;
use super::identity::Identity;
use super::panics;
use super::replay::Recording;
use super::suppression::{Hushed, Met, Suppressor};
use super::wanted::Wanted;
use crate::report::{Reason, Statistics};
use crate::request::{AfterBug, Certify, Effort, Request};
use interp::fault::{Fault, Kind};
use interp::race::RaceLocation;
use interp::{Interference, Machine, with_sections_in_order};
use por::{Ending, Errand, Flow, Listener, Move, Outcome, Prefix};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use std::sync::{Arc, atomic::Ordering};
use std::time::{Duration, Instant};

/// Why there is no more of it, without promotion.
const BEHIND_A_RACE: &str =
    "behind a data race, which stops a thread, not everything could be repeated; --interference auto goes on there";

/// How many reasons for "unknown" are kept; the rest is only like them.
const MOST_REASONS: usize = 100;

/// For how many executions the time between two polls counts.
const POLL: u32 = 10;

/// How long an exploration that is to end may go on to come between two executions, where checkpoints are written.
const SOON: Duration = Duration::from_secs(1);

/// What came of the layouts of memory that were explored before the current one.
#[derive(Default)]
struct Earlier {
    statistics: Statistics,
    assumptions: BTreeSet<String>,
}

/// Hears what the engine finds.
pub(crate) struct Recorder {
    /// Never started; replays run on clones of it.
    pub(super) pristine: Machine,
    after_bug: AfterBug,
    /// Memory with a race that was reported is promoted when the exploration goes on.
    promotes: bool,
    keep_output: bool,
    suppressor: Suppressor,
    /// Schedules are to be saved.
    records: bool,
    pub(crate) shared: Arc<Shared>,
    /// Samples schedules beside the proof.
    pub(super) hunter: Option<Hunter>,
    bugs: FxHashMap<Identity, Found>,
    /// Paths of executions since the exploration started, for programs that read inputs.
    paths: FxHashSet<u128>,
    /// Executions since the first one was found.
    effort: u32,
    reasons: FxHashSet<Reason>,
    /// What is to be promoted: the exploration was stopped to start again.
    pub(super) raced: Vec<RaceLocation>,
    /// The exploration is to start again with all critical sections in order, and all ends and joins as actions.
    pub(super) takes_all_actions: bool,
    /// What was explored, if it is to be shown.
    pub(super) prefix: Option<Option<Prefix>>,
    /// How often the exploration started again, and the instructions executed until then.
    restarts: u64,
    pub(super) instructions: u64,
    earlier: Earlier,
    /// What explores beside this engine, if anything does, its answer, and whether the current exploration may be
    /// interrupted for that.
    pub(super) beside: Option<Beside>,
    pub(super) answer: Option<Answer>,
    pub(super) has_company: bool,
    /// Writes checkpoints, if they are wanted.
    pub(super) writer: Option<Writer>,
    /// Instructions executed when the checkpoint was written from which the exploration goes on.
    executed: u64,
    /// Since when the exploration is to end, and goes on only to come between two executions.
    stopping: Option<Instant>,
}

/// A bug that was found.
#[derive(Clone, Copy)]
struct Found {
    /// Its place in the list of all.
    index: usize,
    /// How many moves lead to it.
    length: usize,
}

/// Puts something where another one was, or behind all.
fn put<T>(list: &mut Vec<T>, index: usize, item: T) {
    match list.get_mut(index) {
        Some(old) => *old = item,
        None => list.push(item),
    }
}

impl Recorder {
    /// Nothing was found yet by explorations of a machine that was not started.
    pub(super) fn new(pristine: Machine, wanted: Wanted, shared: Arc<Shared>) -> Self {
        let Wanted { after_bug, keep_output, suppressions, records } = wanted;
        Recorder {
            promotes: pristine.options().interference != Interference::Synchronisation,
            pristine,
            after_bug,
            keep_output,
            suppressor: Suppressor::new(suppressions.into()),
            records,
            shared,
            hunter: None,
            bugs: FxHashMap::default(),
            paths: FxHashSet::default(),
            effort: 0,
            reasons: FxHashSet::default(),
            raced: Vec::new(),
            takes_all_actions: false,
            prefix: None,
            restarts: 0,
            instructions: 0,
            earlier: Earlier::default(),
            beside: None,
            answer: None,
            has_company: false,
            writer: None,
            executed: 0,
            stopping: None,
        }
    }

    /// Takes over what a checkpoint has, and gives the exploration that goes on. `machine` has taken over its part.
    pub(super) fn resume(&mut self, machine: &Machine, checkpoint: Checkpoint) -> Vec<u8> {
        self.pristine.learn_from(machine);
        checkpoint.reasons.into_iter().for_each(|reason| self.note(reason));
        self.suppressor.met = checkpoint.met;
        for Bug { identity, index, length, violation } in checkpoint.bugs {
            self.bugs.insert(identity, Found { index, length });
            self.shared.change(|findings| findings.violations.push(violation));
        }
        self.shared.change(|findings| {
            (findings.others, findings.suppressed) = (checkpoint.others, checkpoint.suppressed);
            findings.recordings = checkpoint.recordings;
        });
        (self.restarts, self.instructions) = (checkpoint.restarts, checkpoint.earlier_instructions);
        (self.executed, self.effort) = (checkpoint.instructions, checkpoint.effort);
        checkpoint.exploration
    }

    /// The bugs that were found and confirmed, in their order.
    pub(super) fn bugs(&self) -> Vec<Bug> {
        let violations = self.shared.findings().violations;
        let bugs = self.bugs.iter().map(|(identity, found)| Bug {
            identity: identity.clone(),
            index: found.index,
            length: found.length,
            violation: violations[found.index].clone(),
        });
        let mut bugs: Vec<Bug> = bugs.collect();
        bugs.sort_unstable_by_key(|bug| bug.index);
        bugs
    }

    /// The bugs that were met and are not to be reported.
    pub(super) fn met(&self) -> &Met {
        &self.suppressor.met
    }

    /// The machine that starts again with what this one has learned, and with these places as scheduling points.
    pub(super) fn restart(&mut self, mut machine: Machine, raced: Vec<RaceLocation>) -> Machine {
        self.restarts += 1;
        self.give_way(&machine);
        machine.learn_promoted(raced);
        if std::mem::take(&mut self.takes_all_actions) {
            machine.learn_to_take_all_actions();
        }
        self.pristine.learn_from(&machine);
        self.pristine.clone()
    }

    /// Another machine goes on instead of this one.
    pub(super) fn give_way(&mut self, machine: &Machine) {
        self.paths.clear();
        self.instructions += machine.instructions();
    }

    /// Whether there is a bug already, and this only looks for a shorter way to it.
    pub(super) fn is_shortening(&self) -> bool {
        !self.bugs.is_empty() && self.after_bug != AfterBug::KeepGoing
    }

    /// Whether there is a bug.
    pub(super) fn has_bugs(&self) -> bool {
        !self.bugs.is_empty()
    }

    /// Whether to go on looking for bugs, or for a shorter way to the one that was found.
    pub(super) fn go_on(&self) -> Flow {
        let enough = match self.after_bug {
            AfterBug::Stop => true,
            AfterBug::Shorten(Effort::Executions(most)) => self.effort >= most,
            AfterBug::Shorten(Effort::All) | AfterBug::KeepGoing => false,
        };
        if enough && !self.bugs.is_empty() { Flow::Stop } else { Flow::Continue }
    }

    /// Whether the exploration is to go on, asked in the middle of an execution.
    fn go_on_after(&mut self, counters: &por::Statistics) -> Flow {
        // Executions may be long.
        if self.is_shortening() {
            self.effort = self.effort.saturating_add(POLL);
        }
        if self.go_on() == Flow::Stop {
            return Flow::Stop;
        }
        if !self.shared.stop.load(Ordering::Relaxed) {
            return if self.may_be_answered_by_others(counters) { Flow::Stop } else { Flow::Continue };
        }
        // At the end of this execution there will be a checkpoint, if it comes soon.
        let since = *self.stopping.get_or_insert_with(Instant::now);
        if self.writer.is_some() && since.elapsed() < SOON { Flow::Continue } else { Flow::Stop }
    }

    /// A bug that is not to be reported: the exploration goes on, with what raced as places to schedule at.
    fn suppressed(&mut self, hushed: Hushed, fault: &Fault, schedule: Vec<Move>) -> Flow {
        // One that is reported has been found: nothing that this may hide matters any more.
        if self.is_shortening() {
            return self.go_on();
        }
        let raced = fault.raced.filter(|_| self.promotes);
        let new = self.suppressor.is_new(&hushed);
        if !new && (raced.is_none() || fault.after_end) {
            return Flow::Continue;
        }
        match confirm(&self.pristine, fault, &end_last(schedule, fault)) {
            Confirmed::AfterEnd => return Flow::Continue,
            Confirmed::Mismatch(_) if self.pristine.leaves_out_actions() => {
                self.takes_all_actions = true;
                return Flow::Stop;
            }
            Confirmed::Mismatch(what) => {
                self.note(mismatch(fault, what));
                return Flow::Continue;
            }
            Confirmed::Violation { violation, .. } if new => {
                if let Some(what) = self.suppressor.hidden(&hushed, fault, self.promotes) {
                    self.note(Reason::Program(what));
                }
                let suppressed = self.suppressor.add(hushed, *violation);
                self.shared.change(|findings| findings.suppressed.push(suppressed));
            }
            Confirmed::Violation { .. } => {}
        }
        match raced {
            Some(place) => self.promote(place),
            None => Flow::Continue,
        }
    }

    /// Stops the exploration to start it again with places to schedule at.
    fn promote(&mut self, place: RaceLocation) -> Flow {
        self.raced.push(place);
        Flow::Stop
    }

    /// The machine for the next layout of memory, if there is one to explore, after everything was explored in this
    /// one: what the program does must depend on it, and bugs that were found be not enough.
    pub(super) fn next_layout(
        &mut self,
        machine: &Machine,
        outcome: Outcome,
        counters: &por::Statistics,
        layouts: u32,
    ) -> Option<Machine> {
        let next = machine.layout() + 1;
        if outcome != Outcome::Complete || next >= layouts || !machine.depends_on_layout() || self.is_shortening() {
            return None;
        }
        self.publish(machine, counters);
        let Findings { statistics, assumptions, .. } = self.shared.findings();
        self.earlier = Earlier { statistics, assumptions: assumptions.into_iter().collect() };
        self.instructions += machine.instructions();
        self.paths.clear();
        match self.pristine.in_layout(next) {
            Ok(pristine) => {
                self.pristine = pristine;
                self.beside.iter_mut().for_each(Beside::begin_anew);
                Some(self.pristine.clone())
            }
            Err(error) => {
                self.note(Reason::Program(format!("layout {next} of memory: {error}")));
                None
            }
        }
    }

    /// Whether there is neither a bug nor a reason for "unknown".
    pub(super) fn has_found_nothing(&self) -> bool {
        self.bugs.is_empty() && self.reasons.is_empty()
    }

    /// Writes the certificate of a program that is safe, as its exploration by that machine has shown.
    pub(super) fn certify(&mut self, plan: &Certify, request: &Request, machine: &Machine) {
        // (A panic while it is made says nothing of the answer that was found, but much of us.)
        let written = panics::caught(|| certify::write(plan, request, machine, &self.shared));
        let certificate = match written.unwrap_or_else(|fault| Err(Missing::Contradiction(fault))) {
            Ok(written) => Ok(written),
            Err(Missing::Reason(reason)) => Err(reason),
            Err(Missing::Contradiction(what)) => {
                self.note(Reason::Internal(format!("no engine found what a walk through all states finds: {what}")));
                return;
            }
        };
        self.shared.change(|findings| findings.certificate = Some(certificate));
    }

    fn has_raced(&self) -> bool {
        self.bugs.keys().any(|identity| identity.kind == Kind::DataRace)
    }

    pub(super) fn note(&mut self, reason: Reason) {
        if self.reasons.len() < MOST_REASONS && self.reasons.insert(reason.clone()) {
            self.shared.change(|findings| findings.unknown.push(reason));
        }
    }

    pub(super) fn publish(&self, machine: &Machine, counters: &por::Statistics) {
        self.shared.depth.store(counters.depth, Ordering::Relaxed);
        let Earlier { statistics: before, assumptions } = &self.earlier;
        self.shared.change(|findings| {
            findings.statistics = Statistics {
                executions: before.executions + counters.executions,
                blocked: before.blocked + counters.blocked,
                pruned: before.pruned + counters.pruned,
                // (Where each state is visited once, most paths to it are not gone.)
                paths: if counters.states > 0 { 0 } else { before.paths + self.paths.len() as u64 },
                decisions: before.decisions + machine.questions().decisions,
                events: before.events + counters.events,
                threads: before.threads.max(counters.threads),
                cutoffs: before.cutoffs + counters.cutoffs,
                states: before.states + counters.states,
                explored: counters.explored,
                ends: before.ends + counters.ends(),
                expected: counters.expected,
                promoted: before.promoted.max(self.pristine.promoted()),
                restarts: self.restarts,
                instructions: self.instructions + machine.instructions(),
                ..Statistics::default()
            };
            findings.work = counters.work;
            findings.questions = machine.reads_inputs().then(|| machine.questions());
            let assumed = machine.assumptions().map(|assumption| assumption.name().to_owned());
            let assumed = assumed.chain(self.suppressor.assumptions().cloned()).chain(assumptions.iter().cloned());
            findings.assumptions = assumed.collect::<BTreeSet<String>>().into_iter().collect();
        });
    }
}

/// What a fault that a replay does not show says about the verdict. With inputs that may be anything, the order of
/// local steps, or bits without a value that have met inputs, may be why.
fn mismatch(fault: &Fault, what: String) -> Reason {
    match fault.inputs {
        Some(_) => Reason::Program(format!("on symbolic data, with the inputs that the solver gives: {what}")),
        None => Reason::Internal(what),
    }
}

impl Listener<Machine> for Recorder {
    fn violation(&mut self, fault: Fault, schedule: Vec<Move>) -> Flow {
        if let Some(hushed) = self.suppressor.hushes(&self.pristine, &fault) {
            return self.suppressed(hushed, &fault, schedule);
        }
        let identity = Identity::new(&self.pristine, &fault);
        let raced = fault.raced.filter(|_| self.promotes && self.after_bug == AfterBug::KeepGoing);
        let length = with_sections_in_order(&schedule).len();
        let wanted = match self.bugs.get(&identity) {
            Some(found) => length < found.length,
            None => !self.is_shortening(),
        };
        if !wanted && !self.bugs.contains_key(&identity) {
            self.shared.change(|findings| findings.others = true);
        }
        if !wanted && (raced.is_none() || fault.after_end) {
            return self.go_on();
        }
        let schedule = end_last(schedule, &fault);
        match confirm(&self.pristine, &fault, &schedule) {
            Confirmed::AfterEnd => return Flow::Continue,
            // It is found again with all actions.
            Confirmed::Mismatch(_) if self.pristine.leaves_out_actions() => {
                self.takes_all_actions = true;
                return Flow::Stop;
            }
            // Who raced has stopped before it did what others build upon.
            Confirmed::Mismatch(_) if !self.promotes && self.has_raced() => {
                self.note(Reason::Program(BEHIND_A_RACE.to_owned()));
                return Flow::Continue;
            }
            Confirmed::Mismatch(what) => {
                self.note(mismatch(&fault, what));
                return Flow::Continue;
            }
            Confirmed::Violation { mut violation, moves, .. } => {
                if !self.keep_output {
                    violation.output = None;
                }
                let index = self.bugs.get(&identity).map_or(self.bugs.len(), |found| found.index);
                if wanted {
                    self.bugs.insert(identity, Found { index, length });
                    let recording = self.records.then(|| Recording::new(&self.pristine, &fault, moves));
                    self.shared.change(|findings| {
                        put(&mut findings.violations, index, *violation);
                        recording.into_iter().for_each(|recording| put(&mut findings.recordings, index, recording));
                    });
                }
            }
        }
        if let Some(place) = raced {
            return self.promote(place);
        }
        self.go_on()
    }

    fn execution(&mut self, machine: &Machine, ending: Ending, _: &[Move]) -> Flow {
        if ending != Ending::Pruned {
            self.paths.extend(machine.path());
        }
        if self.is_shortening() {
            self.effort = self.effort.saturating_add(1);
        }
        self.go_on()
    }

    fn unknown(&mut self, reason: String) -> Flow {
        match self.is_shortening() {
            true => self.shared.change(|findings| findings.others = true),
            false => self.note(Reason::Program(demangled(&reason))),
        }
        Flow::Continue
    }

    fn prefix(&mut self, prefix: Option<Prefix>) {
        self.prefix = Some(prefix);
    }

    fn poll(&mut self, machine: &Machine, counters: &por::Statistics) -> Flow {
        self.publish(machine, counters);
        self.hunt_beside(machine, counters);
        self.go_on_after(counters)
    }

    fn poll_among_others(&mut self, machine: &Machine, counters: &por::Statistics) -> (Flow, Option<Errand>) {
        self.publish(machine, counters);
        let flow = self.go_on_after(counters);
        (flow, if flow == Flow::Continue { self.hunt_apart(machine, counters) } else { None })
    }

    fn hear(&mut self, report: Box<dyn std::any::Any>, flow: Flow) -> Flow {
        self.hears_of_errand(report, flow)
    }

    fn wants_checkpoint(&mut self) -> bool {
        let stop = self.shared.stop.load(Ordering::Relaxed);
        self.writer.as_mut().is_some_and(|writer| writer.is_due() || stop)
    }

    fn checkpoint(&mut self, machine: &Machine, exploration: Vec<u8>) -> Flow {
        let findings = self.shared.findings();
        let mut checkpoint = Checkpoint::new(exploration, machine.gathered());
        checkpoint.bugs = self.bugs();
        checkpoint.others = findings.others;
        (checkpoint.reasons, checkpoint.suppressed) = (findings.unknown, findings.suppressed);
        checkpoint.recordings = findings.recordings;
        checkpoint.met = self.suppressor.met.clone();
        (checkpoint.restarts, checkpoint.effort) = (self.restarts, self.effort);
        (checkpoint.earlier_instructions, checkpoint.instructions) = (self.instructions, machine.instructions());
        let written =
            self.writer.as_mut().map(|writer| (writer.write(checkpoint), writer.file().display().to_string()));
        if let Some((Err(error), file)) = written {
            self.note(Reason::Program(format!("the checkpoint {file} cannot be written: {error}")));
            return Flow::Stop;
        }
        if self.writer.as_ref().is_some_and(Writer::is_last) {
            self.note(Reason::Interrupted);
            return Flow::Stop;
        }
        if self.shared.stop.load(Ordering::Relaxed) { Flow::Stop } else { Flow::Continue }
    }

    fn restored(&mut self, machine: &mut Machine) {
        self.writer.iter_mut().for_each(Writer::note_restored);
        machine.count_instructions(self.executed);
    }
}
