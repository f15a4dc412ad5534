//! An exploration beside the usual one, with a machine and a listener of its own.
use super::super::findings::Shared;
use super::Found;
use crate::report::Statistics;
use interp::Machine;
use interp::fault::Fault;
use por::jobs::{Explored, Jobs, explore_with};
use por::{Flow, Listener, Move, Options, Outcome};
use std::sync::atomic::{AtomicBool, Ordering};

/// How often it starts again with what it has learned.
const MOST_STARTS: u32 = 100;

/// There are more states than can be kept.
pub(super) struct TooMany;

/// Listens to it.
pub(super) struct Guest<'a> {
    shared: &'a Shared,
    /// Set from outside: it is over.
    end: &'a AtomicBool,
    /// Actions that it may take, in a turn; none: as many as it likes, beside another thread.
    left: Option<u64>,
    found: bool,
    doubts: bool,
}

impl<'a> Guest<'a> {
    /// It may take so many actions, unless `end` is set before that.
    pub(super) fn new(shared: &'a Shared, end: &'a AtomicBool, left: Option<u64>) -> Self {
        Guest { shared, end, left, found: false, doubts: false }
    }

    /// Explores, again and again with what was learned. Nothing: it has come to no answer.
    pub(super) fn explore(
        mut self,
        pristine: &Machine,
        options: &Options,
        jobs: Jobs,
    ) -> Result<Option<Found>, TooMany> {
        let mut machine = pristine.clone();
        for _ in 0..MOST_STARTS {
            (self.found, self.doubts) = (false, false);
            let Explored { outcome, statistics, .. } = explore_with(&mut machine, options, &mut self, jobs);
            let Guest { found, doubts, .. } = self;
            let por::Statistics { states, steps, .. } = statistics;
            tracing::debug!(engine = ?options.engine, ?outcome, found, doubts, states, steps, "explored beside");
            match outcome {
                Outcome::Complete if !found && !doubts => {
                    return Ok(Some(Found::Safe(Box::new((machine, statistics)))));
                }
                Outcome::Stopped if found => return Ok(Some(Found::Bug)),
                Outcome::Restart if self.left.is_none_or(|left| steps < left) => {
                    self.left = self.left.map(|left| left - steps);
                    let mut next = pristine.clone();
                    next.learn_from(&machine);
                    machine = next;
                }
                Outcome::StateLimit => return Err(TooMany),
                _ => return Ok(None),
            }
        }
        Ok(None)
    }
}

impl Listener<Machine> for Guest<'_> {
    fn violation(&mut self, fault: Fault, _: Vec<Move>) -> Flow {
        // What happens after the end of the process happens to no thread.
        self.found |= !fault.after_end;
        if self.found { Flow::Stop } else { Flow::Continue }
    }

    fn unknown(&mut self, _: String) -> Flow {
        self.doubts = true;
        Flow::Stop
    }

    fn poll(&mut self, _: &Machine, counters: &por::Statistics) -> Flow {
        let over = self.end.load(Ordering::Relaxed) || self.shared.stop.load(Ordering::Relaxed);
        let over = over
            || match self.left {
                Some(left) => {
                    self.shared.depth.store(counters.depth, Ordering::Relaxed);
                    self.shared.change(|findings| {
                        let por::Statistics { states, events, .. } = *counters;
                        findings.statistics = Statistics { states, events, ..findings.statistics };
                    });
                    counters.steps >= left
                }
                None => self.shared.is_crowded.load(Ordering::Relaxed),
            };
        if over { Flow::Stop } else { Flow::Continue }
    }
}
