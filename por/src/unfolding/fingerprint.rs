//! What an event contributes to the fingerprint and the measure of the configurations that have it, and whether it is a
//! cutoff: see [`super::cutoff`].
//!
//! What an event contributes to the state is settled at once, for the events after it need it. What it contributes to
//! the order of configurations (its thread's weight and line) is settled when it is looked up, or one after it is: see
//! [`super::worth`].
use super::configuration::Configuration;
use super::cutoff::{Cutoffs, Measure};
use super::event::{Event, EventId, Print, Unfolding};
use super::walk::Walk;
use crate::Listener;
use crate::system::{Accesses, Change, Unfoldable};
use xxhash_rust::xxh3::xxh3_128;

impl<S: Unfoldable, O: Listener<S>> Walk<'_, S, O> {
    /// Settles what the event added last contributes to fingerprints, and whether it is a cutoff.
    pub(super) fn fingerprint(&mut self, id: EventId, change: &Change) {
        let Walk { unfolding, configuration, .. } = self;
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
        let behind_action = base.wrapping_add(change.action);
        let print = Print {
            share: behind_action.wrapping_add(change.control),
            behind: behind_action.wrapping_add(change.local),
            child: change.child_local.wrapping_sub(change.child),
            weight: 0,
            line: None,
            level: above.max(unfolding.print(event.before).level) + 1,
            journal: unfolding.print(id).journal,
        };
        unfolding.set_print(id, print);
        let height = self.nodes.len() - 1;
        if !self.deepening.is_in_depth() || self.worth.looks_up(height, self.statistics.steps) {
            self.look_up(id, change.keep);
            let Event { cutoff, kept, .. } = *self.unfolding.event(id);
            self.worth.looked_up(height, cutoff && !kept);
        } else {
            self.statistics.work.not_looked_up += 1;
        }
    }

    /// Looks up the state of `[e]`, and settles whether the event is a cutoff. It is the last one of C.
    fn look_up(&mut self, id: EventId, keep: bool) {
        let Walk { cutoffs: Some(cutoffs), states, unfolding, configuration, system, scratch, alone, .. } = self else {
            return;
        };
        let Measure { size, weight, normal_form } = &mut scratch.measure;
        (*size, *weight) = (0, 0);
        normal_form.clear();
        let mut state = 0u128;
        let threads = unfolding.whole_cone(id).len();
        for thread in 0..threads {
            let depth = unfolding.whole_cone(id)[thread];
            if depth == 0 {
                continue;
            }
            settle_line(cutoffs, *system, unfolding, configuration, thread, depth);
            let last = unfolding.print(configuration.event_of(thread, depth));
            state = state.wrapping_add(last.share);
            *size += depth;
            *weight += last.weight;
            normal_form.extend(last.line);
        }
        // What every configuration has does not count.
        *size -= *alone;
        if let Some(states) = states {
            states.check(state, id, unfolding, configuration);
        }
        if unfolding.print(id).journal > 0 {
            state = state.wrapping_add(self.order_after(id));
        }
        let Walk { cutoffs: Some(cutoffs), unfolding, scratch, .. } = self else { return };
        let event = unfolding.event_mut(id);
        let size = scratch.measure.size;
        event.cutoff = cutoffs.is_cutoff(state, &scratch.measure);
        event.kept = event.cutoff && keep;
        self.statistics.cutoffs += u64::from(event.cutoff);
        if !event.cutoff && self.deepening.leaves_out(size) {
            (event.cutoff, event.beyond) = (true, true);
        }
    }
}

/// Settles the line and the weight of a thread's event of C at that depth, and of those before it.
fn settle_line<S: Unfoldable>(
    cutoffs: &mut Cutoffs,
    system: &S,
    unfolding: &mut Unfolding,
    configuration: &Configuration,
    thread: usize,
    depth: u32,
) {
    let print = |unfolding: &Unfolding, depth| match depth {
        0 => Print::default(),
        depth => unfolding.print(configuration.event_of(thread, depth)),
    };
    let mut settled = depth;
    while print(unfolding, settled).line.is_none() {
        settled -= 1;
    }
    for depth in settled + 1..=depth {
        let before = print(unfolding, depth - 1);
        let id = configuration.event_of(thread, depth);
        let own = unfolding.print(id);
        let name = action_name(system, unfolding, id);
        let line = before.line.map(|line| cutoffs.line(line, own.level, name));
        unfolding.set_print(id, Print { weight: before.weight + (name >> 64), line, ..own });
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
