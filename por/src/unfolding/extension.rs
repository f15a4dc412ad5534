//! Conflicting extensions of C.
//!
//! A *race* of C is a pair (p, e) of events of different threads, dependent, with nothing causally between them. To
//! reverse it, e's thread acts without p: at H = (⌈e⌉ ∖ {events ≥ p}) ∪ [e's thread predecessor], the operation of e has
//! variants again, which are new events e' with p #ⁱ e' whose history is in C. If the operation is blocked at H (a lock
//! that is still held when only its release has been dropped), what it then directly depends on is dropped as well,
//! and so on, until it can happen or nothing is left to drop.
//!
//! What e's reversals are depends on [e] alone, so they are computed once, when e enters C for the first time.
//!
//! An operation that is blocked at the end of an execution is treated like an event behind all of C: it may have been
//! possible before (AB/BA locking has three maximal configurations; one of them only shows this way).
//!
//! Whom a signal wakes is a choice that also ranges over waits *concurrent* with it, which no race tells: these come
//! from the pair of the signal and the wait, whenever both are in C. In general: an operation s some of whose variants
//! touch only a part of its footprint (a *chooser*), and an event f independent of it, f ∉ [s], s ∉ [f], that writes
//! another part: the variants of s at [s's thread predecessor] ∪ [f] that depend on f.
use super::event::{EventId, Unfolding};
use super::walk::{Walk, is_partial};
use crate::explore::Observer;
use crate::system::{Accesses, System, ThreadId};

/// A causally closed part of C: what is below `within` (all of C if `None`), without what is above any of `dropped`.
#[derive(Clone, Copy)]
struct Part<'a> {
    within: Option<EventId>,
    dropped: &'a [EventId],
}

impl Part<'_> {
    fn contains(&self, unfolding: &Unfolding, id: EventId) -> bool {
        self.within.is_none_or(|top| unfolding.includes(top, id))
            && !self.dropped.iter().any(|&p| unfolding.includes(id, p))
    }
}

/// A pending operation whose other histories are looked for.
struct Pending<Op> {
    thread: ThreadId,
    operation: Op,
    footprint: Accesses,
}

impl<S: System, O: Observer<S>> Walk<'_, S, O> {
    /// Called before `id` is executed, at state(C): inserts the reversals of its races, and its siblings by choice.
    /// Returns whether it is a chooser.
    pub(super) fn extend(&mut self, id: EventId) -> bool {
        let event = self.unfolding.event(id);
        let (thread, reversed) = (event.thread, event.reversed);
        if reversed && !self.choosers.contains_key(&id) {
            return false;
        }
        let operation = self.system.operation(thread).expect("an enabled event has an operation").clone();
        let footprint = self.system.footprint(thread, &operation);
        let own: Vec<_> = self.unfolding.access_ids(id).map(|a| self.unfolding.access(a).access).collect();
        let chooser = is_partial(&footprint, &own);
        let pending = Pending { thread, operation, footprint };
        if !reversed {
            self.unfolding.event_mut(id).reversed = true;
            self.reverse_races(id, &pending);
        }
        if chooser {
            self.insert_siblings(&pending);
            self.choosers.insert(id, pending.operation);
        } else if !reversed {
            self.insert_siblings(&pending);
        }
        chooser
    }

    /// The other variants that are possible at C are in conflict with the one chosen.
    fn insert_siblings(&mut self, pending: &Pending<S::Operation>) {
        let mut variants = Vec::new();
        crate::explore::current_variants(self.system, pending.thread, &mut variants);
        if variants.len() > 1 {
            for variant in &variants {
                self.event_at_configuration(pending.thread, variant);
            }
        }
    }

    fn reverse_races(&mut self, id: EventId, pending: &Pending<S::Operation>) {
        let count = self.unfolding.predecessors(id).len();
        for i in 0..count {
            let predecessors = self.unfolding.predecessors(id);
            let p = predecessors[i];
            if predecessors.iter().any(|&q| q != p && self.unfolding.includes(q, p)) {
                continue;
            }
            let mut dropped = vec![p];
            self.reverse(pending, Some(id), &mut dropped);
        }
    }

    /// Inserts the events of the pending operation at the part of C that `dropped` leaves, or drops more.
    fn reverse(&mut self, pending: &Pending<S::Operation>, within: Option<EventId>, dropped: &mut Vec<EventId>) {
        let part = Part { within, dropped };
        let words = self.words_at(&pending.footprint, |id| part.contains(&self.unfolding, id));
        let mut variants = Vec::new();
        let words = &words[..pending.footprint.len()];
        self.system.variants(pending.thread, &pending.operation, words, &mut variants);
        for variant in &variants {
            self.event_at(pending.thread, variant, |unfolding, id| part.contains(unfolding, id));
        }
        if variants.is_empty() {
            for p in self.last_dependent(pending, within, dropped) {
                dropped.push(p);
                self.reverse(pending, within, dropped);
                dropped.pop();
            }
        }
    }

    /// The maximal events of the part that any variant of the operation may depend on, and that its thread does not
    /// know.
    fn last_dependent(
        &mut self,
        pending: &Pending<S::Operation>,
        within: Option<EventId>,
        dropped: &[EventId],
    ) -> Vec<EventId> {
        let before = self.configuration.last(pending.thread).expect("a thread that waits exists");
        let part = Part { within, dropped };
        let unfolding = &self.unfolding;
        let frontier = &mut self.scratch.frontier;
        let keep = |id| part.contains(unfolding, id);
        self.configuration.frontier(unfolding, before, &pending.footprint, keep, frontier);
        let all = &frontier.predecessors;
        let is_maximal = |p: &&EventId| !all.iter().any(|q| q != *p && unfolding.includes(*q, **p));
        all.iter().filter(is_maximal).copied().collect()
    }

    /// At the end of an execution: the other histories of operations that are blocked.
    pub(super) fn extend_blocked(&mut self) {
        for thread in (0..self.system.threads()).map(ThreadId) {
            let Some(operation) = self.system.operation(thread) else { continue };
            let operation = operation.clone();
            let footprint = self.system.footprint(thread, &operation);
            let mut variants = std::mem::take(&mut self.scratch.variants);
            variants.clear();
            crate::explore::current_variants(self.system, thread, &mut variants);
            let blocked = variants.is_empty();
            self.scratch.variants = variants;
            if blocked {
                let pending = Pending { thread, operation, footprint };
                for p in self.last_dependent(&pending, None, &[]) {
                    self.reverse(&pending, None, &mut vec![p]);
                }
            }
        }
    }

    /// Called when `id` has just been added to C and executed: pairs of a chooser and an event concurrent with it.
    pub(super) fn extend_choices(&mut self, id: EventId, _chooses: bool) {
        if self.choosers.is_empty() {
            return;
        }
        for access in self.unfolding.access_ids(id) {
            let access = self.unfolding.access(access).access;
            if access.writes == 0 {
                continue;
            }
            let others: Vec<EventId> =
                self.configuration.writers(access.object).map(|a| self.unfolding.access(a).event).collect();
            for other in others {
                if other != id && !self.unfolding.includes(id, other) && self.choosers.contains_key(&other) {
                    self.choose_again(other, id);
                }
            }
        }
    }

    /// The variants of the chooser `s` that depend on the concurrent event `f`.
    fn choose_again(&mut self, s: EventId, f: EventId) {
        let thread = self.unfolding.event(s).thread;
        let before = self.unfolding.event(s).before;
        let operation = self.choosers[&s].clone();
        let footprint = self.system.footprint(thread, &operation);
        let keep = |unfolding: &Unfolding, id| unfolding.includes(before, id) || unfolding.includes(f, id);
        let words = self.words_at(&footprint, |id| keep(&self.unfolding, id));
        let mut variants = Vec::new();
        self.system.variants(thread, &operation, &words[..footprint.len()], &mut variants);
        let f_accesses: Vec<_> = self.unfolding.access_ids(f).map(|a| self.unfolding.access(a).access).collect();
        for variant in &variants {
            if variant.accesses.iter().any(|a| f_accesses.iter().any(|b| a.depends(b))) {
                self.event_behind(before, thread, variant, keep);
            }
        }
    }
}
