//! Conflicting extensions of C.
//!
//! A *race* of C is a pair (p, e) of events of different threads, dependent, with nothing causally between them. To
//! reverse it, e's thread acts without p: at H = (⌈e⌉ ∖ {events ≥ p}) ∪ [e's thread predecessor], the operation of e
//! has variants again, which are new events e' with p #ⁱ e' whose history is in C. If the operation is blocked at H (a
//! lock that is still held when only its release has been dropped), what it then directly depends on is dropped as
//! well, and so on, until it can happen or nothing is left to drop. If it is a choice (it has several variants, or
//! touches less than its operation could), the events that wrote what it looks at are dropped as well, one after the
//! other: a wake-up that finds only another thread waiting at H may find the first one after fewer of its steps.
//!
//! What e's reversals are depends on `[e]` alone, so they are computed once, when e enters C for the first time.
//!
//! An operation that is blocked at the end of an execution is treated like an event after all of C: it may have been
//! possible before (AB/BA locking has three maximal configurations; one of them only shows this way).
//!
//! Some operations touch less than their footprint, depending on the state: an exchange that fails only reads, a signal
//! touches only the thread that it wakes. Their races do not tell everything: other variants depend on events of C that
//! are concurrent with the one that happened. So at the end of every execution each such *partial* event e is treated
//! like a pending operation after C ∖ {events ≥ e}: the variants possible there, and those after the reversal of a race
//! are extensions too. It races with the last events that its footprint depends on, and with those that e itself
//! depends on: an exchange that fails depends on a write, and comes after it even if reads of others, on which only an
//! exchange that succeeds depends, come after it too. Unlike above, this is done in all of C and not in `[e]` alone,
//! since the variant without that write may come after what is concurrent with e.
use super::choice::is_choice;
use super::event::{Event, EventId, Unfolding};
use super::walk::{Partial, Walk};
use crate::Listener;
use crate::system::{Access, Accesses, ThreadId, Unfoldable, Variant};

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
    /// Where its thread stands.
    before: EventId,
    /// The last events of the threads that it has joined since then.
    joined: Vec<EventId>,
    operation: Op,
    footprint: Accesses,
    /// The event in C that it happened as.
    happened: Option<EventId>,
}

/// An operation at a part of C, told by all that it may depend on there.
#[derive(PartialEq, Eq, Hash)]
pub(super) struct Tried {
    thread: ThreadId,
    before: EventId,
    joined: Vec<EventId>,
    footprint: Accesses,
    predecessors: Vec<EventId>,
}

impl<S: Unfoldable, O: Listener<S>> Walk<'_, S, O> {
    /// Called before `id` is executed for the first time since it became known, at state(C): inserts the reversals of
    /// its races, and the other variants that are possible at C. The footprint of its operation is in the scratch.
    pub(super) fn extend(&mut self, id: EventId) {
        let event = self.unfolding.event_mut(id);
        event.reversed = true;
        let (thread, choice) = (event.thread, event.choice);
        let mut pending = None;
        let joined = if self.unfolding.predecessors(id).is_empty() { Vec::new() } else { self.joined(thread) };
        for i in 0..self.unfolding.predecessors(id).len() {
            let p = self.unfolding.predecessors(id)[i];
            if self.is_reversible(id, p, &joined) {
                let pending = pending.get_or_insert_with(|| self.chosen(id));
                self.statistics.work.races += 1;
                let mut dropped = std::mem::take(&mut self.scratch.dropped);
                dropped.clear();
                dropped.push(p);
                self.reverse(pending, Some(id), &dropped);
                self.scratch.dropped = dropped;
            }
        }
        if choice {
            // The variants that are not chosen are in conflict with the one that is.
            let mut variants = Vec::new();
            let footprint = crate::current_variants(self.system, thread, &mut variants);
            for variant in &variants {
                let choice = is_choice(&footprint, &variants, variant);
                self.event_at_configuration(thread, variant, choice);
            }
            let pending = pending.unwrap_or_else(|| self.chosen(id));
            if !self.unfolding.has_accesses(id, &pending.footprint) {
                let Pending { operation, joined, .. } = pending;
                self.partial.insert(id, Partial { operation, joined });
            }
        }
    }

    /// The operation of the event chosen last, which has not been executed.
    fn chosen(&self, id: EventId) -> Pending<S::Operation> {
        let Event { thread, before, .. } = *self.unfolding.event(id);
        let operation = self.system.operation(thread).expect("an enabled event has an operation").clone();
        let (joined, footprint) = (self.joined(thread), self.scratch.footprint);
        Pending { thread, before, joined, operation, footprint, happened: None }
    }

    /// Whether the event, which has not been executed, and its predecessor are a race, and one that may come out
    /// otherwise.
    fn is_reversible(&self, id: EventId, predecessor: EventId, joined: &[EventId]) -> bool {
        let unfolding = &self.unfolding;
        let operation = self.system.operation(unfolding.event(id).thread).expect("an enabled event has an operation");
        let awaited = |access| self.system.awaits(operation, &unfolding.access(access).access);
        let between = |&q: &EventId| q != predecessor && unfolding.includes(q, predecessor);
        !joined.contains(&predecessor)
            && !unfolding.access_ids(predecessor).any(awaited)
            && !unfolding.predecessors(id).iter().any(between)
    }

    /// At the end of an execution: the other histories of operations that have not happened (they are blocked, or what
    /// they would do is disabled or a cutoff), and of partial events.
    pub(super) fn extend_leaf(&mut self) {
        for thread in (0..self.system.threads()).map(ThreadId) {
            if let Some(pending) = self.pending(thread) {
                self.reverse_all(&pending, &mut Vec::new(), None);
            }
        }
        if !self.partial.is_empty() {
            for i in 0..self.configuration.trail().len() {
                self.extend_partial(self.configuration.trail()[i], i < self.configuration.kept());
            }
        }
        self.configuration.next_stage();
    }

    /// The operation of a thread that has not happened.
    fn pending(&mut self, thread: ThreadId) -> Option<Pending<S::Operation>> {
        let operation = self.system.operation(thread)?.clone();
        let before = self.configuration.last(thread)?;
        let footprint = self.system.footprint(thread, &operation);
        Some(Pending { thread, before, joined: self.joined(thread), operation, footprint, happened: None })
    }

    /// `old`: so it was at the end of the last execution.
    fn extend_partial(&mut self, id: EventId, old: bool) {
        let Some(Partial { operation, joined }) = self.partial.get(&id) else {
            return;
        };
        let event = self.unfolding.event(id);
        let footprint = self.system.footprint(event.thread, operation);
        if !self.configuration.changed(&footprint) {
            // All was done at the end of the last execution: what the operation may depend on is the same.
            return;
        }
        let (operation, joined) = (operation.clone(), joined.clone());
        let (thread, before) = (event.thread, event.before);
        let pending = Pending { thread, before, joined, operation, footprint, happened: Some(id) };
        let mut changes = std::mem::take(&mut self.scratch.changes);
        self.configuration.changes(&self.unfolding, &footprint, &mut changes);
        // The same if all that has changed depends on the event.
        let depends = |change: &EventId| self.unfolding.includes(*change, id);
        changes.left.retain(|change| !depends(change));
        if !old || !changes.left.is_empty() || !changes.come.iter().all(depends) {
            let mut dropped = vec![id];
            self.act(&pending, None, &dropped, None);
            let changes = Some(&changes.come).filter(|_| old && changes.left.is_empty());
            self.reverse_all(&pending, &mut dropped, changes);
        }
        self.scratch.changes = changes;
    }

    /// Reverses every race between the pending operation and the part of C that `dropped` leaves. `come`: that was done
    /// when only these events were not there yet, and others are not needed again.
    fn reverse_all(
        &mut self,
        pending: &Pending<S::Operation>,
        dropped: &mut Vec<EventId>,
        come: Option<&Vec<EventId>>,
    ) {
        for p in self.races(pending, dropped) {
            let out = |new: &EventId| dropped.iter().chain([&p]).any(|p| self.unfolding.includes(*new, *p));
            if come.is_some_and(|come| !come.contains(&p) && come.iter().all(out)) {
                continue;
            }
            self.statistics.work.races += 1;
            dropped.push(p);
            self.reverse(pending, None, dropped);
            dropped.pop();
        }
    }

    /// What the pending operation races with at the part of C that `dropped` leaves: the last events that it may depend
    /// on, and those that one of its variants does depend on, after which others may come that it does not.
    fn races(&mut self, pending: &Pending<S::Operation>, dropped: &[EventId]) -> Vec<EventId> {
        let mut races = self.last_dependent(pending, &pending.footprint, None, dropped);
        let mut variants = std::mem::take(&mut self.scratch.variants);
        self.variants_at(pending, Part { within: None, dropped }, &mut variants);
        for variant in variants.iter().filter(|variant| variant.accesses != pending.footprint) {
            for p in self.last_dependent(pending, &variant.accesses, None, dropped) {
                if !races.contains(&p) {
                    races.push(p);
                }
            }
        }
        self.scratch.variants = variants;
        races
    }

    /// What the pending operation could do at the state of that part of C.
    fn variants_at(&self, pending: &Pending<S::Operation>, part: Part<'_>, variants: &mut Vec<Variant>) {
        variants.clear();
        let words = self.words_at(&pending.footprint, pending.happened, |id| part.contains(&self.unfolding, id));
        let words = &words[..pending.footprint.len()];
        self.system.variants(pending.thread, &pending.operation, &pending.footprint, words, variants);
    }

    /// Inserts the events of the pending operation at the part of C that `dropped` leaves, and drops more where that
    /// may give others.
    fn reverse(&mut self, pending: &Pending<S::Operation>, within: Option<EventId>, dropped: &[EventId]) {
        self.act_or_drop(pending, within, dropped, None);
        if self.system.picks(&pending.operation)
            && let Some(first) = pending.footprint.first()
        {
            let written = self.configuration.written(&self.unfolding, first.object);
            for lane in pending.footprint.lanes_of_first(written) {
                self.drop_more(pending, within, dropped, &lane, Some(&lane));
            }
        }
    }

    fn act_or_drop(
        &mut self,
        pending: &Pending<S::Operation>,
        within: Option<EventId>,
        dropped: &[EventId],
        lane: Option<&Accesses>,
    ) {
        if let Some(more) = self.act(pending, within, dropped, lane) {
            self.drop_more(pending, within, dropped, &more, lane);
        }
    }

    /// Drops more of what an action with these accesses depends on. `lane`: as long as the operation is possible, that
    /// is done for variants that touch no other lane.
    fn drop_more(
        &mut self,
        pending: &Pending<S::Operation>,
        within: Option<EventId>,
        dropped: &[EventId],
        accesses: &Accesses,
        lane: Option<&Accesses>,
    ) {
        let last = self.last_dependent(pending, accesses, within, dropped);
        // (A lock that is still held where only its release is dropped: there is one way to go on.)
        let one_way = lane.is_some() || last.len() == 1 && *accesses == pending.footprint;
        for p in last {
            let is_before = |q: &EventId| !self.unfolding.includes(*q, p);
            let dropped: Vec<EventId> = dropped.iter().copied().filter(is_before).chain([p]).collect();
            if one_way || self.is_new(pending, within, &dropped) {
                self.act_or_drop(pending, within, &dropped, lane);
            }
        }
    }

    /// Notes that the pending operation is tried at the part of C that `dropped` leaves, with all that can be dropped
    /// from there. Returns whether it is the first time since events were forgotten: of n threads that wait, there are
    /// n! orders in which they are dropped, and each reversal of a race of one operation comes to the same parts.
    fn is_new(&mut self, pending: &Pending<S::Operation>, within: Option<EventId>, dropped: &[EventId]) -> bool {
        self.find_frontier(pending, &pending.footprint, Part { within, dropped });
        let predecessors = self.scratch.frontier.predecessors.clone();
        let Pending { thread, before, ref joined, footprint, .. } = *pending;
        self.tried.insert(Tried { thread, before, joined: joined.clone(), footprint, predecessors })
    }

    /// Inserts the events of the pending operation at the part of C that `dropped` leaves. Returns what it may depend
    /// on such that it is another one with less of C, see [`Accesses::of_others`].
    fn act(
        &mut self,
        pending: &Pending<S::Operation>,
        within: Option<EventId>,
        dropped: &[EventId],
        lane: Option<&Accesses>,
    ) -> Option<Accesses> {
        let part = Part { within, dropped };
        let mut variants = std::mem::take(&mut self.scratch.variants);
        self.variants_at(pending, part, &mut variants);
        for variant in &variants {
            let keep = |unfolding: &Unfolding, id| part.contains(unfolding, id);
            let choice = is_choice(&pending.footprint, &variants, variant);
            self.event_behind((pending.before, &pending.joined), pending.thread, variant, choice, keep);
        }
        let more = pending.footprint.of_others(&variants, self.system.picks(&pending.operation), lane);
        self.scratch.variants = variants;
        more
    }

    /// The maximal events of the part that an action with these accesses depends on, and that its thread does not know.
    fn last_dependent(
        &mut self,
        pending: &Pending<S::Operation>,
        accesses: &[Access],
        within: Option<EventId>,
        dropped: &[EventId],
    ) -> Vec<EventId> {
        self.find_frontier(pending, accesses, Part { within, dropped });
        let unfolding = &self.unfolding;
        let all = &self.scratch.frontier.predecessors;
        let is_maximal = |p: &&EventId| !all.iter().any(|q| q != *p && unfolding.includes(*q, **p));
        all.iter().filter(is_maximal).filter(|p| !pending.joined.contains(p)).copied().collect()
    }

    /// Puts what an action of the pending operation with these accesses depends on at that part into the scratch.
    fn find_frontier(&mut self, pending: &Pending<S::Operation>, accesses: &[Access], part: Part<'_>) {
        let unfolding = &self.unfolding;
        let frontier = &mut self.scratch.frontier;
        let keep = |id| part.contains(unfolding, id);
        self.configuration.frontier(unfolding, (pending.before, &pending.joined), accesses, keep, frontier);
    }
}
