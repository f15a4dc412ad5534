//! What an event contributes to the fingerprint and the measure of the configurations that have it, and whether it is a
//! cutoff: see [`super::cutoff`].
use super::cutoff::Measure;
use super::event::{EventId, Print, Unfolding};
use super::walk::Walk;
use crate::Listener;
use crate::system::{Accesses, Change, Unfoldable};
use xxhash_rust::xxh3::xxh3_128;

impl<S: Unfoldable, O: Listener<S>> Walk<'_, S, O> {
    /// Settles what the event added last contributes to fingerprints, and whether it is a cutoff.
    pub(super) fn fingerprint(&mut self, id: EventId, change: &Change) {
        let Walk { cutoffs: Some(cutoffs), states, unfolding, configuration, system, scratch, alone, .. } = self else {
            return;
        };
        let event = unfolding.event(id);
        let before = unfolding.event(event.before);
        let own = (event.depth > 1).then(|| configuration.event_of(event.thread.index(), event.depth - 1));
        let own = own.map(|own| unfolding.print(own)).unwrap_or_default();
        let base = if before.thread == event.thread {
            own.behind
        } else {
            // A thread begins, perhaps with the number of one that is over.
            own.share.wrapping_add(unfolding.print(event.before).child)
        };
        let above = unfolding.predecessors(id).iter().map(|&p| unfolding.print(p).level).max().unwrap_or(0);
        let level = above.max(unfolding.print(event.before).level) + 1;
        let name = action_name(*system, unfolding, id);
        let behind_action = base.wrapping_add(change.action);
        let print = Print {
            share: behind_action.wrapping_add(change.control),
            behind: behind_action.wrapping_add(change.local),
            child: change.child_local.wrapping_sub(change.child),
            weight: own.weight + (name >> 64),
            line: cutoffs.line(own.line, level, name),
            level,
            journal: unfolding.print(id).journal,
        };
        unfolding.set_print(id, print);
        let Measure { size, weight, normal_form } = &mut scratch.measure;
        (*size, *weight) = (0, 0);
        normal_form.clear();
        let mut state = 0u128;
        for (thread, &depth) in unfolding.whole_cone(id).iter().enumerate().filter(|(_, depth)| **depth > 0) {
            let last = unfolding.print(configuration.event_of(thread, depth));
            state = state.wrapping_add(last.share);
            *size += depth;
            *weight += last.weight;
            normal_form.push(last.line);
        }
        // What every configuration has does not count.
        *size -= *alone;
        if let Some(states) = states {
            states.check(state, id, unfolding, configuration);
        }
        if print.journal > 0 {
            state = state.wrapping_add(self.order_after(id));
        }
        let Walk { cutoffs: Some(cutoffs), unfolding, scratch, .. } = self else { return };
        let event = unfolding.event_mut(id);
        let size = scratch.measure.size;
        event.cutoff = cutoffs.is_cutoff(state, &scratch.measure);
        event.kept = event.cutoff && change.keep;
        self.statistics.cutoffs += u64::from(event.cutoff);
        if !event.cutoff && self.deepening.leaves_out(size) {
            (event.cutoff, event.beyond) = (true, true);
        }
    }
}

/// The name of an action as the order of cutoffs sees it: equal for actions that do the same in equal states.
fn action_name<S: Unfoldable>(system: &S, unfolding: &Unfolding, id: EventId) -> u128 {
    let event = unfolding.event(id);
    let mut words = [0; 1 + 3 * Accesses::CAPACITY];
    words[0] = u64::from(event.thread.0) << 32 | u64::from(event.label);
    let mut len = 1;
    for access in unfolding.access_ids(id) {
        let access = unfolding.access(access).access;
        words[len..len + 3].copy_from_slice(&[system.name(access.object), access.reads, access.writes]);
        len += 3;
    }
    let mut bytes = [0; 8 * (1 + 3 * Accesses::CAPACITY)];
    for (bytes, word) in bytes.chunks_exact_mut(8).zip(words) {
        bytes.copy_from_slice(&word.to_le_bytes());
    }
    xxh3_128(&bytes[..8 * len])
}
