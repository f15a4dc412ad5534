//! Keeping U small: procedure Remove of Alg. 1, in bulk.
//!
//! RSSK15 keeps Q = C ∪ D ∪ ⋃ [e'] for e' ∈ #ⁱ(e), e ∈ C ∪ D, and moves the rest to the cache G, which may be purged at
//! any time. Here the rest is purged whenever U has doubled since the last time (or has become four times as large,
//! where the last time less than half of it was to be forgotten): marking and compacting cost O(U), so O(1) per event.
//! Events that turn up again are simply made again.
//!
//! If memory is short, the rest is purged earlier and its memory given back, and after that what is known for cutoffs:
//! first the normal forms, then states.
use super::cutoff::Cutoffs;
use super::event::{BOTTOM, EventId};
use super::extension::Tried;
use super::walk::{Partial, Walk};
use crate::system::Unfoldable;
use crate::{Listener, Phase};
use rustc_hash::FxHashSet;

impl<S: Unfoldable, O: Listener<S>> Walk<'_, S, O> {
    /// Called between executions.
    pub(super) fn collect_if_due(&mut self) {
        if self.unfolding.len() >= self.collect_at {
            self.during(Phase::Collection, Self::collect);
        }
        if self.tried.len() >= self.collect_at {
            self.tried = FxHashSet::default();
        }
        if self.options.memory.is_some() && self.bytes_soon() > self.purge_at {
            self.during(Phase::Collection, Self::purge);
        }
    }

    /// Bytes of the tables that grow with the number of events and states.
    pub(super) fn bytes(&self) -> usize {
        let tables = self.unfolding.bytes() + self.cutoffs.as_ref().map_or(0, |cutoffs| cutoffs.bytes().0);
        tables + self.tried.capacity() * size_of::<Tried>() + self.system.journal_bytes()
    }

    /// The same, with what they are about to grow by.
    fn bytes_soon(&self) -> usize {
        self.bytes() + self.cutoffs.as_ref().map_or(0, |cutoffs| cutoffs.bytes().1)
    }

    /// Forgets until a quarter of the memory is free, or nothing is left to forget. The tables grow by a quarter before
    /// it happens again, so that it costs O(1) for each event here too.
    fn purge(&mut self) {
        let budget = self.options.memory.unwrap_or(usize::MAX);
        let before = self.bytes_soon();
        self.collect();
        self.unfolding.shrink();
        let enough = budget / 4 * 3;
        if self.bytes_soon() > enough {
            let Walk { cutoffs, unfolding, .. } = self;
            cutoffs.iter_mut().for_each(|cutoffs| cutoffs.forget_normal_forms(unfolding.lines_mut()));
        }
        if self.bytes_soon() > enough {
            self.cutoffs.iter_mut().for_each(Cutoffs::forget_states);
        }
        let after = self.bytes_soon();
        self.purge_at = budget.max(after + after / 4);
        self.statistics.work.purges += 1;
        tracing::debug!(before, after, budget, "purged");
    }

    /// Forgets all events but those of Q.
    pub(super) fn collect(&mut self) {
        self.note_work();
        self.statistics.work.collections += 1;
        let keep = self.needed();
        let map = self.unfolding.retain(&keep);
        let new = |id: EventId| map[id.index()].expect("what the walk holds is kept");
        self.configuration.rename(&self.unfolding, &map);
        if let Some(recording) = &mut self.recording {
            recording.rename(&map);
        }
        for disabled in &mut self.disabled {
            disabled.event = new(disabled.event);
            disabled.obstacle = disabled.obstacle.and_then(|id| map[id.index()]);
        }
        for id in &mut self.guide {
            *id = new(*id);
        }
        for node in &mut self.nodes {
            node.event = new(node.event);
        }
        let partial = std::mem::take(&mut self.partial);
        let kept = partial.into_iter().filter_map(|(id, partial)| Some((map[id.index()]?, partial)));
        // (What an event comes after is kept with it.)
        let renamed =
            |Partial { operation, joined }| Partial { operation, joined: joined.into_iter().map(new).collect() };
        self.partial = kept.map(|(id, partial)| (id, renamed(partial))).collect();
        // What was found from there may be forgotten. (Its memory is given back.)
        self.tried = FxHashSet::default();
        self.forget_journals();
        // Where little can be forgotten, most of what comes cannot be either.
        let growth = if self.unfolding.len() > keep.len() / 2 { 4 } else { 2 };
        self.collect_at = (growth * self.unfolding.len()).max(self.options.cache);
        tracing::debug!(before = keep.len(), after = self.unfolding.len(), "collected events");
    }

    /// Marks Q, and the guide.
    fn needed(&mut self) -> Vec<bool> {
        let disabled = self.disabled.iter().map(|disabled| disabled.event);
        self.unfolding.release_watchers_of(self.configuration.trail().iter().copied().chain(disabled));
        let mut keep = vec![false; self.unfolding.len()];
        keep[BOTTOM.index()] = true;
        let mut pending: Vec<EventId> = self.configuration.trail().to_vec();
        pending.extend(self.disabled.iter().map(|d| d.event));
        for id in pending.clone() {
            self.unfolding.conflicts(id, &mut pending);
        }
        pending.extend(&self.guide);
        while let Some(id) = pending.pop() {
            if !std::mem::replace(&mut keep[id.index()], true) {
                pending.push(self.unfolding.event(id).before);
                pending.extend(self.unfolding.predecessors(id));
            }
        }
        keep
    }
}
