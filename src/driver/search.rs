//! The exploration as its own thread does it: collects what is found, and confirms every violation.
use super::checkpoint::{Bug, Checkpoint, Writer};
use super::confirm::{Confirmed, confirm};
use super::demangle::demangled;
use super::describe;
use super::engines::Turn;
use super::panics;
use super::profile::{Current, Sampled};
use super::replay::Recording;
use super::suppression::{Hushed, Suppressor};
use super::unfolding;
use crate::report::{Frame, Reason, Statistics, Suppressed, Unfolding, Violation};
use crate::request::{AfterBug, Effort, Request};
use interp::fault::{Fault, Kind};
use interp::race::RaceLocation;
use interp::{Interference, Machine};
use por::System as _;
use por::{Ending, Flow, Listener, Move, Outcome, Prefix};
use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
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

/// What the exploration gave, complete or not.
#[derive(Clone, Debug, Default)]
pub(crate) struct Findings {
    /// Each distinct one once.
    pub violations: Vec<Violation>,
    /// Those that are not to be reported.
    pub suppressed: Vec<Suppressed>,
    /// How each can be shown again, if that is to be saved.
    pub recordings: Vec<Recording>,
    /// Each distinct reason once, in the order in which they were met.
    pub unknown: Vec<Reason>,
    /// Everything was explored.
    pub complete: bool,
    /// There are bugs that nobody asked for, since one is enough, or something that could hide some.
    pub others: bool,
    /// The file from which the exploration can go on, if it was ended.
    pub checkpoint: Option<String>,
    /// What a "safe" would rest on, sorted.
    pub assumptions: Vec<String>,
    /// Without the measurements.
    pub statistics: Statistics,
    /// How often the engine did what; known at the end.
    pub work: por::Work,
    /// How questions about inputs were answered, if any were asked; known at the end.
    pub questions: Option<interp::solver::Counters>,
    /// The events, if they are to be shown; known at the end.
    pub unfolding: Option<Result<Unfolding, String>>,
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
    /// Instructions that all executions have together, each from its start, if that is measured.
    pub from_start: AtomicU64,
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

    /// The violations that were found after so many others.
    pub(crate) fn violations_after(&self, known: usize) -> Vec<Violation> {
        self.findings.lock().unwrap_or_else(PoisonError::into_inner).violations[known..].to_vec()
    }

    fn change(&self, change: impl FnOnce(&mut Findings)) {
        change(&mut self.findings.lock().unwrap_or_else(PoisonError::into_inner));
    }
}

/// An exploration that is about to start.
pub(crate) struct Search {
    machine: Machine,
    exploration: por::Options,
    /// How many layouts of memory there are to explore.
    layouts: u32,
    /// The recorder is told what the engine is at.
    measured: bool,
    recorder: Recorder,
    /// The exploration of a checkpoint from which this one goes on.
    from: Option<Vec<u8>>,
}

impl Search {
    /// Prepares to explore a machine that was not started yet. `writer` writes checkpoints.
    pub(crate) fn new(machine: Machine, request: &Request, shared: Arc<Shared>, writer: Option<Writer>) -> Self {
        let recorder = Recorder {
            pristine: machine.clone(),
            after_bug: request.after_bug,
            promotes: request.machine.interference != Interference::Synchronisation,
            keep_output: request.output.program_output,
            suppressor: Suppressor::new(Arc::clone(&request.suppressions)),
            records: request.save_trace.is_some(),
            shared,
            bugs: FxHashMap::default(),
            paths: FxHashSet::default(),
            effort: 0,
            reasons: FxHashSet::default(),
            raced: Vec::new(),
            prefix: None,
            restarts: 0,
            instructions: 0,
            earlier: Earlier::default(),
            writer,
            executed: 0,
            stopping: None,
        };
        let measured = request.output.statistics;
        let exploration = request.exploration.clone();
        Search { machine, exploration, layouts: request.layouts, measured, recorder, from: None }
    }

    /// Goes on from a checkpoint instead of beginning. An error says why it cannot.
    pub(crate) fn resume(&mut self, checkpoint: Checkpoint) -> Result<(), String> {
        self.machine.take_over(&checkpoint.machine)?;
        let recorder = &mut self.recorder;
        recorder.pristine.learn_from(&self.machine);
        checkpoint.reasons.into_iter().for_each(|reason| recorder.note(reason));
        recorder.suppressor.met = checkpoint.met;
        for Bug { identity, index, length, violation } in checkpoint.bugs {
            recorder.bugs.insert(identity, Found { index, length });
            recorder.shared.change(|findings| findings.violations.push(violation));
        }
        recorder.shared.change(|findings| {
            (findings.others, findings.suppressed) = (checkpoint.others, checkpoint.suppressed);
            findings.recordings = checkpoint.recordings;
        });
        (recorder.restarts, recorder.instructions) = (checkpoint.restarts, checkpoint.earlier_instructions);
        (recorder.executed, recorder.effort) = (checkpoint.instructions, checkpoint.effort);
        self.from = Some(checkpoint.exploration);
        Ok(())
    }

    /// Explores.
    pub(crate) fn run(self) -> Findings {
        let Search { mut machine, exploration: asked, layouts, measured, mut recorder, mut from } = self;
        let (mut exploration, mut turn) = (asked.clone(), Turn::Asked);
        let (outcome, counters) = loop {
            let from = from.take();
            let explored = match measured {
                false => explore(&mut machine, &exploration, &mut recorder, from.as_deref()),
                true => explore(&mut machine, &exploration, &mut Sampled::new(&mut recorder), from.as_deref()),
            };
            let (outcome, counters) = match explored {
                Ok(explored) => explored,
                Err(por::Corrupt(what)) => {
                    recorder.note(Reason::Program(format!("the exploration cannot go on from the checkpoint: {what}")));
                    (Outcome::Stopped, por::Statistics::default())
                }
            };
            let raced = std::mem::take(&mut recorder.raced);
            if outcome == Outcome::Restart && recorder.is_shortening() {
                break (Outcome::Stopped, counters);
            }
            let limited = matches!(outcome, Outcome::DepthLimit | Outcome::StateLimit);
            if let Some(next) = turn.next().filter(|_| limited && !recorder.is_shortening()) {
                turn = next;
                exploration = turn.exploration(&asked);
                recorder.pristine.prepare(exploration.needs());
            } else if outcome != Outcome::Restart && raced.is_empty() {
                match recorder.next_layout(&machine, outcome, &counters, layouts) {
                    Some(next) => {
                        machine = next;
                        continue;
                    }
                    None => break (outcome, counters),
                }
            }
            if machine.reads_inputs() && !recorder.pristine.reads_inputs() {
                turn = Turn::first(&asked);
                exploration = turn.exploration(&asked);
                recorder.pristine.prepare(exploration.needs());
            }
            recorder.restarts += 1;
            recorder.paths.clear();
            recorder.instructions += machine.instructions();
            machine.learn_promoted(raced);
            recorder.pristine.learn_from(&machine);
            machine = recorder.pristine.clone();
        };
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
        if let Some(prefix) = recorder.prefix.take() {
            let stop = || recorder.shared.stop.load(Ordering::Relaxed);
            // A picture that cannot be drawn changes nothing in the verdict.
            let described = panics::caught(|| unfolding::describe(&recorder.pristine, prefix, counters.events, stop));
            let described = described.unwrap_or_else(|fault| Err(format!("internal error: {fault}")));
            recorder.shared.change(|findings| findings.unfolding = Some(described));
        }
        recorder.shared.findings()
    }
}

/// Puts something where another one was, or behind all.
fn put<T>(list: &mut Vec<T>, index: usize, item: T) {
    match list.get_mut(index) {
        Some(old) => *old = item,
        None => list.push(item),
    }
}

fn explore(
    machine: &mut Machine,
    options: &por::Options,
    listener: &mut impl Listener<Machine>,
    from: Option<&[u8]>,
) -> Result<(Outcome, por::Statistics), por::Corrupt> {
    match from {
        None => Ok(por::explore(machine, options, listener)),
        Some(exploration) => por::resume(machine, options, listener, exploration),
    }
}

/// What came of the layouts of memory that were explored before the current one.
#[derive(Default)]
struct Earlier {
    statistics: Statistics,
    assumptions: BTreeSet<String>,
}

/// Hears what the engine finds.
pub(crate) struct Recorder {
    /// Never started; replays run on clones of it.
    pristine: Machine,
    after_bug: AfterBug,
    /// Memory with a race that was reported is promoted when the exploration goes on.
    promotes: bool,
    keep_output: bool,
    suppressor: Suppressor,
    /// Schedules are to be saved.
    records: bool,
    pub(crate) shared: Arc<Shared>,
    bugs: FxHashMap<Identity, Found>,
    /// Paths of executions since the exploration started, for programs that read inputs.
    paths: FxHashSet<u128>,
    /// Executions since the first one was found.
    effort: u32,
    reasons: FxHashSet<Reason>,
    /// What is to be promoted: the exploration was stopped to start again.
    raced: Vec<RaceLocation>,
    /// What was explored, if it is to be shown.
    prefix: Option<Option<Prefix>>,
    /// How often the exploration started again, and the instructions executed until then.
    restarts: u64,
    instructions: u64,
    earlier: Earlier,
    /// Writes checkpoints, if they are wanted.
    writer: Option<Writer>,
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

/// What makes two bugs the same: the kind and the places, whichever threads met there.
#[derive(Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(super) struct Identity {
    kind: Kind,
    place: Vec<Frame>,
    related: Vec<Vec<Frame>>,
}

impl Identity {
    pub(super) fn new(machine: &Machine, fault: &Fault) -> Self {
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

impl Recorder {
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

    /// The machine for the next layout of memory, if there is one to explore, after everything was explored in this one:
    /// what the program does must depend on it, and bugs that were found be not enough.
    fn next_layout(
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
                Some(self.pristine.clone())
            }
            Err(error) => {
                self.note(Reason::Program(format!("layout {next} of memory: {error}")));
                None
            }
        }
    }

    fn has_raced(&self) -> bool {
        self.bugs.keys().any(|identity| identity.kind == Kind::DataRace)
    }

    fn note(&mut self, reason: Reason) {
        if self.reasons.len() < MOST_REASONS && self.reasons.insert(reason.clone()) {
            self.shared.change(|findings| findings.unknown.push(reason));
        }
    }

    fn publish(&self, machine: &Machine, counters: &por::Statistics) {
        self.shared.depth.store(counters.depth, Ordering::Relaxed);
        let Earlier { statistics: before, assumptions } = &self.earlier;
        self.shared.change(|findings| {
            findings.statistics = Statistics {
                executions: before.executions + counters.executions,
                blocked: before.blocked + counters.blocked,
                pruned: before.pruned + counters.pruned,
                // (Where each state is visited once, most paths to it are not gone.)
                paths: if counters.states > 0 { 0 } else { before.paths + self.paths.len() as u64 },
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

/// What a fault that a replay does not show says about the verdict. With inputs that may be anything, the order of local steps, or
/// bits without a value that have met inputs, may be why.
fn mismatch(fault: &Fault, what: String) -> Reason {
    match fault.inputs {
        Some(_) => Reason::Program(format!("on symbolic data, with the inputs that the solver gives: {what}")),
        None => Reason::Internal(what),
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

impl Listener<Machine> for Recorder {
    fn violation(&mut self, fault: Fault, schedule: Vec<Move>) -> Flow {
        if let Some(hushed) = self.suppressor.hushes(&self.pristine, &fault) {
            return self.suppressed(hushed, &fault, schedule);
        }
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
        let schedule = end_last(schedule, &fault);
        match confirm(&self.pristine, &fault, &schedule) {
            Confirmed::AfterEnd => return Flow::Continue,
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
                    let recording = self.records.then(|| Recording::new(&self.pristine, fault.inputs.clone(), moves));
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
        // Executions may be long.
        if self.is_shortening() {
            self.effort = self.effort.saturating_add(POLL);
        }
        if self.go_on() == Flow::Stop {
            return Flow::Stop;
        }
        if !self.shared.stop.load(Ordering::Relaxed) {
            return Flow::Continue;
        }
        // At the end of this execution there will be a checkpoint, if it comes soon.
        let since = *self.stopping.get_or_insert_with(Instant::now);
        if self.writer.is_some() && since.elapsed() < SOON { Flow::Continue } else { Flow::Stop }
    }

    fn wants_checkpoint(&mut self) -> bool {
        let stop = self.shared.stop.load(Ordering::Relaxed);
        self.writer.as_mut().is_some_and(|writer| writer.is_due() || stop)
    }

    fn checkpoint(&mut self, machine: &Machine, exploration: Vec<u8>) -> Flow {
        let findings = self.shared.findings();
        let bugs = self.bugs.iter().map(|(identity, found)| Bug {
            identity: identity.clone(),
            index: found.index,
            length: found.length,
            violation: findings.violations[found.index].clone(),
        });
        let mut checkpoint = Checkpoint::new(exploration, machine.gathered());
        checkpoint.bugs = bugs.collect();
        checkpoint.bugs.sort_unstable_by_key(|bug| bug.index);
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
