//! Iterative deepening: small configurations first.
//!
//! A walk in depth meets most states at the end of long executions first. When fewer events turn out to lead there as
//! well, what was explored after the long ones was explored in vain, and there can be a hundred times more of that than
//! of the rest. So the walk goes in *passes*. A pass looks at events with local configurations up to some size. The
//! size grows by a quarter from pass to pass, and each pass uses what is known of states. So up to the size of the last
//! pass almost every event is either the smallest way to its state or cut off at once, and the passes before cost a few
//! times the last one at most. (For exploring in order of size without passes one would have to jump between
//! configurations.) Faults that take few actions are found with few actions.
//!
//! **When.** Passes are not worthwhile where no state is reached *late*, by fewer events than before, because none
//! comes back or all ways there are equally long. So after some actions the walk goes in depth at one go, until there
//! have been late states.
//!
//! **Executions without an end** in which no state comes back, because something is counted, end the walk in depth at
//! [`crate::Options::max_depth`], perhaps before it has seen any other execution. So when one gets long, there are
//! passes for a while, before the walk in depth starts again.
//!
//! **Nothing is lost.** What a pass leaves out is marked as *beyond* it, and there is another pass until one has left
//! out nothing. That one relies on what was known of states before, as any other part of the exploration does: see what
//! [`super::cutoff`] says of forgetting. Whether threads are stuck is not asked where something was left out.
//!
//! A pass begins where the first thread is not alone any more: the system never goes back further.
use super::estimate::Estimate;
use super::walk::Walk;
use crate::system::Unfoldable;
use crate::{Listener, Options, Outcome, Phase};
use serde::{Deserialize, Serialize};

/// How large configurations are in the first pass.
const FIRST: u32 = 8;

/// After how many actions it should be known whether passes are worthwhile.
const TRIAL: u64 = 20_000;

/// Which part of the greatest length makes an execution long.
const LONG: u64 = 16;

/// Which pass this is.
#[derive(Clone, Copy, Serialize, Deserialize)]
pub(super) struct Deepening {
    /// Size of the largest local configuration that this pass looks at; the largest number if it goes in depth at one
    /// go.
    bound: u32,
    /// Whether this pass has left something out.
    left_out: bool,
    /// After so many actions there are no more passes, unless they have turned out to be worthwhile.
    until: Option<u64>,
    /// Whether an execution has got long before.
    long: bool,
}

impl Deepening {
    pub(super) fn new(options: &Options) -> Self {
        let in_passes = options.cutoffs.is_some() && options.late < u64::MAX;
        let bound = if in_passes { FIRST } else { u32::MAX };
        Deepening { bound, left_out: false, until: in_passes.then_some(TRIAL), long: false }
    }

    /// Whether this pass leaves out nothing.
    pub(super) fn is_in_depth(&self) -> bool {
        self.bound == u32::MAX
    }

    /// Whether this pass leaves out an event with a local configuration of that size, which must be marked then.
    pub(super) fn leaves_out(&mut self, size: u32) -> bool {
        let beyond = size > self.bound;
        self.left_out |= beyond;
        beyond
    }
}

impl<S: Unfoldable, O: Listener<S>> Walk<'_, S, O> {
    /// Called at the end of a pass: begins the next one if there is one.
    pub(super) fn deepen(&mut self) -> bool {
        let Deepening { bound, left_out, .. } = self.deepening;
        if left_out {
            self.statistics.explored = bound;
            self.begin_pass(bound + bound.div_ceil(4));
        }
        left_out
    }

    /// Called between executions: begins another pass if this one goes on in vain or for too long.
    pub(super) fn deepen_if_worthwhile(&mut self) {
        let late = self.cutoffs.as_ref().is_some_and(|cutoffs| cutoffs.late() >= self.options.late);
        let Deepening { bound, until, .. } = self.deepening;
        if late && bound == u32::MAX {
            self.begin_pass(FIRST);
        } else if !late && until.is_some_and(|until| self.statistics.steps > until) {
            self.deepening.until = None;
            self.begin_pass(u32::MAX);
        }
    }

    /// Called before every event: when an execution gets long, begins another pass; an error if it has become too long.
    pub(super) fn look_at_length(&mut self) -> Result<(), Outcome> {
        let length = self.configuration.trail().len() as u64;
        let longest = self.options.max_depth;
        if length >= longest {
            return Err(Outcome::DepthLimit);
        }
        let Deepening { bound, long, .. } = self.deepening;
        let in_depth = bound == u32::MAX && self.cutoffs.is_some();
        if length >= longest / LONG && in_depth && !long && self.system.threads() > 1 {
            self.deepening.long = true;
            self.deepening.until = Some(self.statistics.steps + longest / LONG * 4);
            self.begin_pass(FIRST);
        }
        Ok(())
    }

    fn begin_pass(&mut self, bound: u32) {
        while self.nodes.len() > self.alone as usize {
            self.nodes.pop();
            self.configuration.pop(&mut self.unfolding);
            self.during(Phase::System, |walk| walk.system.undo());
        }
        self.enable(0);
        self.guide.clear();
        self.guide_base = self.nodes.len();
        self.estimate = Estimate::default();
        self.worth.begin(self.statistics.steps);
        self.during(Phase::Collection, Self::collect);
        if let Some(recording) = &mut self.recording {
            recording.begin_pass(self.nodes.len());
        }
        let statistics = &mut self.statistics;
        tracing::debug!(
            late = self.cutoffs.as_ref().map_or(0, |cutoffs| cutoffs.late()),
            executions = statistics.executions,
            events = statistics.events,
            bound,
            "another pass"
        );
        self.deepening = Deepening { bound, left_out: false, ..self.deepening };
        statistics.work.earlier = statistics.ends();
        (statistics.executions, statistics.blocked, statistics.pruned, statistics.cutoffs) = (0, 0, 0, 0);
        statistics.events = self.nodes.len() as u64;
        statistics.work.passes += 1;
    }
}
