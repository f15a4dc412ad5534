//! Which event comes next: lines 5–8 of Alg. 1.
use super::event::{EventId, Name, Unfolding};
use super::walk::{Mark, Walk};
use crate::Listener;
use crate::explore::OUT_OF_STEP;
use crate::system::{Accesses, Constraint, ThreadId, Unfoldable, Variant};
use crate::turns;

/// How many events of the first thread alone are not looked at for cutoffs: more than that is likely to be a loop that
/// never ends.
const LONGEST_ALONE: u32 = 1 << 16;

/// What the walk can do at a node.
pub(super) enum Choice {
    /// Execute this event.
    Event(EventId),
    /// Some events are enabled, but all of them are in D (or cutoffs).
    Blocked,
    /// All enabled events are cutoffs.
    Cutoff,
    /// All enabled events are cutoffs, or beyond the bound of this pass; at least one is beyond it.
    Beyond,
    /// C is maximal.
    Maximal,
}

/// Which kinds of events are enabled besides the one that was asked for.
#[derive(Default)]
pub(super) struct Enabled {
    disabled: bool,
    cutoff: bool,
    beyond: bool,
}

impl<S: Unfoldable, O: Listener<S>> Walk<'_, S, O> {
    /// Line 5–8: an enabled event, from A if that is not empty, never one of D.
    pub(super) fn choose(&mut self) -> Choice {
        self.guided = !self.guide.is_empty();
        if let Some(event) = self.guide.pop() {
            if self.is_possible(event) {
                return Choice::Event(event);
            }
            self.guide.clear();
            self.guided = false;
            self.out_of_step();
        }
        let mut enabled = Enabled::default();
        let threads = self.system.threads();
        let current = self.configuration.trail().last().map_or(ThreadId(0), |&e| self.unfolding.event(e).thread);
        for thread in turns::order(threads, current, self.has_long_turn(current)) {
            if let Some(event) = self.enabled_event(thread, &mut enabled) {
                return Choice::Event(event);
            }
        }
        match enabled {
            Enabled { disabled: true, .. } => Choice::Blocked,
            Enabled { beyond: true, .. } => Choice::Beyond,
            Enabled { cutoff: true, .. } => Choice::Cutoff,
            _ => Choice::Maximal,
        }
    }

    /// Whether the last [`turns::LONG`] events are all of this thread.
    fn has_long_turn(&self, thread: ThreadId) -> bool {
        let trail = self.configuration.trail();
        let Some(earlier) = trail.len().checked_sub(turns::LONG as usize) else { return false };
        let (first, last) = (self.unfolding.event(trail[earlier]), self.unfolding.event(trail[trail.len() - 1]));
        first.thread == thread && last.depth - first.depth == turns::LONG - 1
    }

    /// Whether nothing can ever replace the event, which is enabled at C: there is no other thread yet, so every later
    /// event of another thread has it in its history, and it is not one of several variants.
    pub(super) fn is_solitary(&self, event: EventId, last: Mark) -> bool {
        // (After a choice, what the others change has to be known for cutoffs.)
        let first = self.cutoffs.is_none() || last == Mark::None && self.alone < LONGEST_ALONE;
        first && self.system.threads() == 1 && !self.unfolding.event(event).choice
    }

    /// The first event of `thread` that is enabled at C, not in D and not a cutoff. Notes what else is enabled.
    fn enabled_event(&mut self, thread: ThreadId, enabled: &mut Enabled) -> Option<EventId> {
        self.system.operation(thread)?;
        let mut variants = std::mem::take(&mut self.scratch.variants);
        variants.clear();
        let footprint = crate::current_variants(self.system, thread, &mut variants);
        let mut found = None;
        for variant in &variants {
            let choice = is_choice(&footprint, &variants, variant);
            let event = self.event_at_configuration(thread, variant, choice);
            if !self.is_feasible(event) {
                continue;
            }
            if self.cutoffs.is_some() && self.unfolding.is_behind_cutoff(event) {
                self.unfolding.event_mut(event).cutoff = true;
            }
            let known = self.unfolding.event(event);
            if !known.disabled && (!known.cutoff || known.kept) {
                self.scratch.footprint = footprint;
                found = Some(event);
                break;
            }
            enabled.disabled |= known.disabled;
            enabled.cutoff |= known.cutoff;
            enabled.beyond |= known.beyond;
        }
        self.scratch.variants = variants;
        found
    }

    /// The event of a variant that is possible at state(C).
    pub(super) fn event_at_configuration(&mut self, thread: ThreadId, variant: &Variant, choice: bool) -> EventId {
        let before = self.configuration.last(thread).expect("a thread that can move exists");
        let known = self.unfolding.len();
        let joined = self.joined(thread);
        let event = self.event_behind((before, &joined), thread, variant, choice, |_, _| true);
        if self.unfolding.len() > known {
            let constraint = self.system.constraint(thread, variant.label);
            assert!(constraint.is_none() || self.cutoffs.is_none(), "cutoffs know nothing of what events settle");
            self.unfolding.event_mut(event).constraint = constraint;
        }
        event
    }

    /// The last events of the threads that the thread has joined since its last event. (Mostly there are none, which
    /// allocates nothing.)
    pub(super) fn joined(&self, thread: ThreadId) -> Vec<EventId> {
        let last = |thread| self.configuration.last(thread).expect("a thread that was joined existed");
        self.system.joined(thread).into_iter().map(last).collect()
    }

    /// Whether what the event settles can hold together with what the events of C settle.
    #[inline]
    pub(super) fn is_feasible(&mut self, event: EventId) -> bool {
        match self.unfolding.event(event).constraint {
            Some(constraint) => self.can_hold(constraint),
            None => true,
        }
    }

    fn can_hold(&mut self, constraint: Constraint) -> bool {
        let settling = self.configuration.settling().iter();
        self.scratch.constraints.clear();
        self.scratch.constraints.extend(settling.filter_map(|&event| self.unfolding.event(event).constraint));
        self.system.can_hold(&self.scratch.constraints, constraint)
    }

    /// The event of a variant that is possible, for a thread that stands behind `before` and has joined others since,
    /// at the state of the causally closed part of C for which `keep` holds.
    pub(super) fn event_behind(
        &mut self,
        (before, joined): (EventId, &[EventId]),
        thread: ThreadId,
        variant: &Variant,
        choice: bool,
        keep: impl Fn(&Unfolding, EventId) -> bool,
    ) -> EventId {
        let frontier = &mut self.scratch.frontier;
        let unfolding = &self.unfolding;
        self.configuration.frontier(unfolding, (before, joined), &variant.accesses, |id| keep(unfolding, id), frontier);
        self.unfolding.insert(&Name {
            thread,
            label: variant.label,
            choice,
            before,
            predecessors: &frontier.predecessors,
            accesses: &variant.accesses,
            parents: &frontier.parents,
        })
    }

    /// Whether an event, the next one of A or of a checkpoint, is what its thread would do now. It always is, unless
    /// the words of the system do not tell the truth about it (plain and atomic accesses to the same memory), or it is
    /// another system.
    pub(super) fn is_possible(&mut self, event: EventId) -> bool {
        let (thread, label) = (self.unfolding.event(event).thread, self.unfolding.event(event).label);
        let mut variants = std::mem::take(&mut self.scratch.variants);
        variants.clear();
        self.scratch.footprint = crate::current_variants(self.system, thread, &mut variants);
        let same = |v: &Variant| v.label == label && self.unfolding.has_accesses(event, &v.accesses);
        let possible =
            self.configuration.last(thread) == Some(self.unfolding.event(event).before) && variants.iter().any(same);
        self.scratch.variants = variants;
        possible
    }

    fn out_of_step(&mut self) {
        let _ = self.listener.unknown(OUT_OF_STEP.to_owned());
    }
}

/// Whether the variant is a choice in the sense of [`Name::choice`].
pub(super) fn is_choice(footprint: &Accesses, variants: &[Variant], variant: &Variant) -> bool {
    variants.len() > 1 || variant.accesses != *footprint
}
