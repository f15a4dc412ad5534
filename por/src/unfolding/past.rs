//! What happened in a local configuration.
use super::configuration::Configuration;
use super::event::{EventId, Unfolding};
use super::walk::Walk;
use crate::explore::Observer;
use crate::system::{LocalSteps, Past, System};
use std::collections::BTreeSet;

impl<S: System, O: Observer<S>> Walk<'_, S, O> {
    /// See [`System::order_behind`], for `[e]`. The event is the last one of C.
    pub(super) fn order_behind(&mut self, event: EventId) -> u128 {
        let events = local_configuration(event, &self.unfolding, &self.configuration).into_iter();
        let journal = |id| self.unfolding.print(id).journal.checked_sub(1);
        let past = events.filter_map(|(id, steps)| Some(Past { journal: journal(id)?, steps }));
        let past: Vec<Past> = past.collect();
        self.system.order_behind(&past)
    }
}

/// The events of `[event]`, in the order in which C has them, with the local steps that belong to other events of `[event]`.
pub(super) fn local_configuration(
    event: EventId,
    unfolding: &Unfolding,
    configuration: &Configuration,
) -> Vec<(EventId, LocalSteps)> {
    let mut later = BTreeSet::new();
    let events = configuration.trail().iter().rev().filter(|&&id| unfolding.includes(event, id));
    let mut events: Vec<(EventId, LocalSteps)> = events
        .map(|&id| {
            let it = unfolding.event(id);
            let child = it.created.is_some_and(|child| later.contains(&child));
            let own = !later.insert(it.thread);
            (id, LocalSteps { own, child })
        })
        .collect();
    events.reverse();
    events
}
