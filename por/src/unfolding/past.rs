//! What happened in a local configuration, for what the state of `[e]` holds beyond sums of changes.
use super::event::{Event, EventId};
use super::walk::Walk;
use crate::explore::Observer;
use crate::system::{Past, System};

impl<S: System, O: Observer<S>> Walk<'_, S, O> {
    /// See [`System::order_behind`], for `[e]`. The event is the last one of C.
    pub(super) fn order_behind(&mut self, id: EventId) -> u128 {
        let Walk { unfolding, configuration, system, scratch, .. } = self;
        let mine = || configuration.trail().iter().copied().filter(|&other| unfolding.includes(id, other));
        // Those behind which threads have begun.
        let parents = &mut scratch.pending;
        parents.clear();
        parents.extend(
            mine()
                .map(|other| unfolding.event(other))
                .filter_map(|event| (unfolding.event(event.before).thread != event.thread).then_some(event.before)),
        );
        parents.sort_unstable();
        let past = mine().filter_map(|other| {
            let Event { thread, depth, .. } = *unfolding.event(other);
            Some(Past {
                journal: unfolding.print(other).journal.checked_sub(1)?,
                local: depth < unfolding.cone(id, thread),
                child: parents.binary_search(&other).is_ok(),
            })
        });
        let past: Vec<Past> = past.collect();
        system.order_behind(&past)
    }
}
