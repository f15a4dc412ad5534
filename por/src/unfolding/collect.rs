//! Keeping U small: procedure Remove of Alg. 1, in bulk.
//!
//! The paper keeps Q = C ∪ D ∪ ⋃ [e'] for e' ∈ #ⁱ(e), e ∈ C ∪ D, and moves the rest to the cache G, which may be purged at
//! any time. Here the rest is purged whenever U has doubled since the last time: marking and compacting cost O(U), so
//! O(1) per event. Events that turn up again are simply made again.
use super::event::{BOTTOM, EventId};
use super::walk::Walk;
use crate::explore::{Observer, Phase};
use crate::system::System;

impl<S: System, O: Observer<S>> Walk<'_, S, O> {
    /// Called between executions.
    pub(super) fn collect_if_due(&mut self) {
        if self.unfolding.len() >= self.collect_at {
            self.during(Phase::Collection, Self::collect);
        }
    }

    /// Forgets all events but those of Q.
    fn collect(&mut self) {
        self.note_work();
        self.statistics.work.collections += 1;
        let keep = self.needed();
        let map = self.unfolding.retain(&keep);
        let new = |id: EventId| map[id.index()].expect("what the walk holds is kept");
        self.configuration.rename(&self.unfolding, &map);
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
        let operations = std::mem::take(&mut self.partial);
        self.partial = operations.into_iter().filter_map(|(id, op)| Some((map[id.index()]?, op))).collect();
        self.collect_at = (2 * self.unfolding.len()).max(self.options.cache);
        tracing::debug!(before = keep.len(), after = self.unfolding.len(), "collected events");
    }

    /// Marks Q, and the guide.
    fn needed(&self) -> Vec<bool> {
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
