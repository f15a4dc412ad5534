//! An exploration beside the usual one, with a machine and a listener of its own.
use super::super::confirm::{Confirmed, confirm, end_last};
use super::super::findings::Shared;
use super::Found;
use super::allowance::Allowance;
use crate::report::Statistics;
use interp::Machine;
use interp::engines::explore_with;
use interp::fault::Fault;
use por::jobs::{Explored, Jobs};
use por::{Flow, Listener, Move, Options, Outcome, System as _};
use std::sync::atomic::Ordering;

/// How often it starts again with what it has learned.
const MOST_STARTS: u32 = 100;

/// `states` saves nothing if less than one of so many actions leads to a known state.
const FEW: u64 = 50;

/// Events that an engine of sequences looks at, to find races and reverse them, in about the time of an action. (Where
/// threads spin its executions have thousands of events, and few of them are new.)
const LOOKS: u64 = 128;

/// There are more states than can be kept.
pub(super) struct TooMany;

/// Listens to it.
pub(super) struct Guest<'a> {
    shared: &'a Shared,
    allowance: &'a Allowance,
    /// What was done before it has started again, in actions.
    taken: u64,
    /// Never started; it has learned what the one that explores has.
    pristine: Machine,
    found: Option<(Fault, Vec<Move>)>,
    doubts: bool,
}

impl<'a> Guest<'a> {
    /// Of a machine that was not started.
    pub(super) fn new(pristine: &Machine, shared: &'a Shared, allowance: &'a Allowance) -> Self {
        Guest { shared, allowance, taken: 0, pristine: pristine.clone(), found: None, doubts: false }
    }

    /// Explores, again and again with what was learned. Nothing: it has come to no answer.
    pub(super) fn explore(mut self, options: &Options, jobs: Jobs) -> Result<Option<Found>, TooMany> {
        self.pristine.prepare(options.needs());
        let mut machine = self.pristine.clone();
        for _ in 0..MOST_STARTS {
            (self.found, self.doubts) = (None, false);
            let Explored { outcome, statistics, .. } = explore_with(&mut machine, options, &mut self, jobs);
            let por::Statistics { states, steps, .. } = statistics;
            self.taken += done(&statistics);
            let (found, doubts) = (self.found.take(), self.doubts);
            let finds = found.is_some();
            tracing::debug!(engine = ?options.engine, ?outcome, finds, doubts, states, steps, "explored beside");
            match (outcome, found) {
                (Outcome::Complete, None) if !doubts => {
                    return Ok(Some(Found::Safe(Box::new((machine, statistics)))));
                }
                (Outcome::Stopped, Some((fault, schedule))) => {
                    return Ok(Some(Found::Bug(Box::new((machine, fault, schedule)))));
                }
                (Outcome::Restart, _) => {
                    self.pristine.learn_from(&machine);
                    machine = self.pristine.clone();
                }
                (Outcome::StateLimit, _) => return Err(TooMany),
                _ => return Ok(None),
            }
        }
        Ok(None)
    }
}

/// What an exploration has done, in actions.
fn done(counters: &por::Statistics) -> u64 {
    counters.steps + counters.work.looked_at / LOOKS
}

impl Listener<Machine> for Guest<'_> {
    fn violation(&mut self, fault: Fault, schedule: Vec<Move>) -> Flow {
        // What happens only after the end of the process happens to no thread. Whether it does is seen without the end,
        // which comes first in most sequences (`main` goes first) and matters to no other thread.
        if fault.after_end {
            let schedule = end_last(schedule.clone(), &fault);
            if matches!(confirm(&self.pristine, &fault, &schedule), Confirmed::AfterEnd) {
                return Flow::Continue;
            }
        }
        self.found = Some((fault, schedule));
        Flow::Stop
    }

    fn unknown(&mut self, _: String) -> Flow {
        self.doubts = true;
        Flow::Stop
    }

    fn poll(&mut self, _: &Machine, counters: &por::Statistics) -> Flow {
        if self.allowance.is_in_turn() {
            self.shared.depth.store(counters.depth, Ordering::Relaxed);
            self.shared.change(|findings| {
                let por::Statistics { states, events, .. } = *counters;
                findings.statistics = Statistics { states, events, ..findings.statistics };
            });
        }
        if counters.states > 0 {
            self.allowance.note_whether_it_saves(counters.states < counters.steps - counters.steps / FEW);
        }
        let over = self.shared.stop.load(Ordering::Relaxed) || self.shared.is_crowded.load(Ordering::Relaxed);
        let goes_on = !over && self.allowance.goes_on_after(self.taken + done(counters));
        if goes_on { Flow::Continue } else { Flow::Stop }
    }
}
