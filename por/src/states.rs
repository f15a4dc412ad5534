//! The states, each visited once.
//!
//! Depth-first over all enabled variants of all threads, as [`crate::naive`]; but where the way leads to a state that is known, it
//! ends. So the work is that of the states and the actions between them, however many executions lead through them, and
//! executions without end are no obstacle.
//!
//! **Why that is complete.** A state is known by [`Fingerprints::state`](crate::Fingerprints::state): equal fingerprints mean that
//! the same can happen from there on, with the same faults. Every state that can be reached is arrived at, by induction over its
//! shortest way: the state before it was visited, and there each action was taken. What is wrong with an action is told when it
//! is taken, what is wrong with a state when it is visited.
//!
//! A state without a fingerprint is visited as often as a way leads there.
//!
//! **Livelocks.** The states that can be reached from a livelock are livelocks, finitely many, and something can move in each. So the
//! search closes a circle among them: it comes back to one that is on its way. That is where threads that spin are looked for.
//!
//! **Passes.** A search in depth may go on for ever, or for very long, beside a bug that lies near the start. So where a way gets long
//! it ends, and there is another pass behind this one, for ways that are longer. The last pass, in which no way was ended so, is the proof.
//!
//! **Data that is not settled** ([`Decisions`]). A state stands for all data that its past leaves open, and only the variants that
//! exist for some of it are taken. A fingerprint says of the data what can still matter.
use crate::spinning::{Unclear, spinning};
use crate::system::{Decisions, Ending, Findings, Livelocks, Move, Rest, Step, ThreadId};
use crate::{Listener, Options, Outcome, Phase, Statistics, feasible_variants};
use rustc_hash::FxHashMap;
use std::collections::hash_map::Entry;

/// How often the listener is asked whether to go on, in executed actions.
const POLL_INTERVAL: u64 = 1024;

/// How much longer ways may get in the next pass.
const GROWTH: u64 = 8;

/// Visits every state.
pub(crate) fn explore<S: Livelocks + Decisions>(
    system: &mut S,
    options: &Options,
    listener: &mut impl Listener<S>,
) -> (Outcome, Statistics) {
    let mut search = Search {
        system,
        options,
        listener,
        known: FxHashMap::default(),
        path: Vec::new(),
        schedule: Vec::new(),
        bound: options.short_ways,
        left_out: false,
        statistics: Statistics::default(),
    };
    let outcome = search.run().err().unwrap_or(Outcome::Complete);
    (outcome, search.statistics)
}

/// Where a known state is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// On the way to the current one.
    OnTheWay,
    /// Everything behind it was seen.
    Left,
}

/// A state on the way.
struct Node {
    /// Its fingerprint, if it has one.
    state: Option<u128>,
    /// What is still to be taken there, the next one last.
    moves: Vec<Move>,
}

struct Search<'a, S: Livelocks + Decisions, O> {
    system: &'a mut S,
    options: &'a Options,
    listener: &'a mut O,
    known: FxHashMap<u128, Place>,
    path: Vec<Node>,
    schedule: Vec<Move>,
    /// How long ways may get in this pass.
    bound: u64,
    /// Whether a way was ended for that.
    left_out: bool,
    statistics: Statistics,
}

impl<S: Livelocks + Decisions, O: Listener<S>> Search<'_, S, O> {
    fn run(&mut self) -> Result<(), Outcome> {
        self.system.follow_states();
        let first = self.system.start();
        if first.restart {
            return Err(Outcome::Restart);
        }
        self.report(first)?;
        loop {
            self.pass()?;
            if !self.left_out {
                return Ok(());
            }
            self.begin_pass();
        }
    }

    fn begin_pass(&mut self) {
        let longer = self.bound.saturating_mul(GROWTH);
        // (The last one meets the limit itself.)
        self.bound = if longer < self.options.max_depth { longer } else { u64::MAX };
        self.left_out = false;
        self.known.clear();
        let statistics = &mut self.statistics;
        tracing::debug!(states = statistics.states, bound = self.bound, "another pass");
        statistics.work.earlier = statistics.ends();
        (statistics.executions, statistics.pruned, statistics.cutoffs) = (0, 0, 0);
        (statistics.states, statistics.events) = (0, 0);
        statistics.work.passes += 1;
    }

    /// Visits every state that ways of this pass lead to.
    fn pass(&mut self) -> Result<(), Outcome> {
        self.arrive()?;
        while let Some(node) = self.path.last_mut() {
            match node.moves.pop() {
                Some(next) => self.take(next)?,
                None => {
                    if let Some(state) = node.state {
                        self.known.insert(state, Place::Left);
                    }
                    self.path.pop();
                    if !self.path.is_empty() {
                        self.go_back();
                    }
                }
            }
        }
        Ok(())
    }

    fn go_back(&mut self) {
        self.listener.phase(Phase::System);
        self.system.undo();
        self.schedule.pop();
        self.listener.phase(Phase::Walk);
    }

    fn take(&mut self, next: Move) -> Result<(), Outcome> {
        if self.schedule.len() as u64 >= self.options.max_depth {
            return Err(Outcome::DepthLimit);
        }
        self.listener.phase(Phase::System);
        self.system.mark();
        let step = self.system.execute(next.thread, next.label);
        self.listener.phase(Phase::Walk);
        self.schedule.push(next);
        let statistics = &mut self.statistics;
        statistics.steps += 1;
        statistics.events += 1;
        statistics.depth = statistics.depth.max(self.schedule.len() as u64);
        statistics.threads = statistics.threads.max(self.system.threads());
        if step.restart {
            return Err(Outcome::Restart);
        }
        self.report(step)?;
        if self.statistics.steps.is_multiple_of(POLL_INTERVAL) {
            self.listener.poll(self.system, &self.statistics).go_on()?;
        }
        if !self.arrive()? {
            self.go_back();
        }
        Ok(())
    }

    /// Comes to the current state. False: it was known, and the way ends here.
    fn arrive(&mut self) -> Result<bool, Outcome> {
        self.listener.phase(Phase::Cutoffs);
        let state = self.system.state();
        self.listener.phase(Phase::Walk);
        if let Some(state) = state {
            match self.known.entry(state) {
                Entry::Occupied(place) => {
                    let circle = *place.get() == Place::OnTheWay;
                    self.statistics.cutoffs += 1;
                    if circle {
                        self.look_for_livelocks()?;
                    }
                    self.end(Ending::Cutoff, Findings::default())?;
                    return Ok(false);
                }
                Entry::Vacant(place) => place.insert(Place::OnTheWay),
            };
        }
        self.statistics.states += 1;
        if self.options.max_states.is_some_and(|most| state.is_none() || self.statistics.states >= most) {
            return Err(Outcome::StateLimit);
        }
        let mut moves = self.moves();
        if moves.is_empty() {
            let (ending, findings) = self.system.ending();
            self.end(ending, findings)?;
        } else {
            // (At the end nobody can tell any more whether threads were stuck before the process ended.)
            let stuck = self.system.stuck(Rest::ToBeSeen);
            self.report_all(stuck)?;
            if self.schedule.len() as u64 >= self.bound {
                self.left_out = true;
                moves.clear();
            }
        }
        self.path.push(Node { state, moves });
        Ok(true)
    }

    /// All moves possible now, the first to be taken last.
    fn moves(&mut self) -> Vec<Move> {
        let mut moves = Vec::new();
        let mut variants = Vec::new();
        for thread in (0..self.system.threads()).map(ThreadId) {
            variants.clear();
            feasible_variants(self.system, thread, &mut variants);
            moves.extend(variants.iter().map(|v| Move { thread, label: v.label }));
        }
        moves.reverse();
        moves
    }

    /// In a state that comes again: does nothing ever happen behind it but that threads spin?
    fn look_for_livelocks(&mut self) -> Result<(), Outcome> {
        if !self.system.looks_for_livelocks() {
            return Ok(());
        }
        self.listener.phase(Phase::Livelocks);
        let spinning = spinning(self.system);
        self.listener.phase(Phase::Walk);
        let spinning = match spinning {
            Ok(spinning) => spinning,
            Err(Unclear::Restart) => return Err(Outcome::Restart),
            Err(Unclear::TooMany) => return self.listener.unknown(Unclear::REASON.to_owned()).go_on(),
        };
        if spinning.is_empty() {
            return Ok(());
        }
        let findings = self.system.stuck(Rest::Seen(&spinning));
        self.report_all(findings)
    }

    /// An execution has come to its end, or to a known state.
    fn end(&mut self, ending: Ending, findings: Findings<S::Fault>) -> Result<(), Outcome> {
        match ending {
            Ending::Pruned => self.statistics.pruned += 1,
            Ending::Complete | Ending::Cutoff => self.statistics.executions += 1,
        }
        self.report_all(findings)?;
        self.listener.execution(self.system, ending, &self.schedule).go_on()?;
        if Some(self.statistics.ends()) == self.options.max_executions { Err(Outcome::ExecutionLimit) } else { Ok(()) }
    }

    fn report_all(&mut self, findings: Findings<S::Fault>) -> Result<(), Outcome> {
        if let Some(reason) = findings.unknown {
            self.listener.unknown(reason).go_on()?;
        }
        findings.faults.into_iter().try_for_each(|fault| self.listener.violation(fault, self.schedule.clone()).go_on())
    }

    fn report(&mut self, step: Step<S::Fault>) -> Result<(), Outcome> {
        self.report_all(Findings { faults: step.fault.into_iter().collect(), unknown: step.unknown })
    }
}
