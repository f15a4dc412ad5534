//! What happened in a local configuration.
use super::configuration::Configuration;
use super::event::{BOTTOM, EventId, Unfolding};
use super::walk::Walk;
use crate::Listener;
use crate::system::{LocalSteps, Past, ThreadId, Unfoldable};
use std::collections::BTreeSet;

/// What the system was told of the past, see [`System::order_behind`]: of each thread some of its events, the causes of
/// each before the next, and how deep they are. So an event is told to each thread that learns of it once.
#[derive(Default)]
pub(super) struct Told {
    threads: Vec<Vec<(EventId, u32)>>,
    /// Room for the events that are new.
    events: Vec<(u32, EventId)>,
    past: Vec<Past>,
}

impl Told {
    /// Forgets what was told: it no longer holds.
    pub(super) fn forget(&mut self) {
        self.threads.clear();
    }
}

impl<S: Unfoldable, O: Listener<S>> Walk<'_, S, O> {
    /// See [`System::order_behind`], for `[e]`. The event is the last one of C.
    pub(super) fn order_after(&mut self, event: EventId) -> u128 {
        let Walk { told, unfolding, configuration, system, .. } = self;
        let Told { threads, events, past } = told;
        let thread = unfolding.event(event).thread;
        if threads.len() <= thread.index() {
            threads.resize_with(thread.index() + 1, Vec::new);
        }
        let known = &mut threads[thread.index()];
        let end = unfolding.event(event).depth;
        while let Some(&(last, depth)) = known.last()
            && (depth >= end || configuration.event_of(thread.index(), depth) != last)
        {
            known.pop();
        }
        let keep = known.len();
        events.clear();
        let base = known.last().map_or(BOTTOM, |(last, _)| *last);
        for (other, &depth) in unfolding.whole_cone(event).iter().enumerate() {
            let told = if base == BOTTOM { 0 } else { unfolding.cone(base, ThreadId(other as u32)) };
            events.extend((told + 1..=depth).map(|depth| {
                let id = configuration.event_of(other, depth);
                (unfolding.print(id).level, id)
            }));
        }
        // Causes have lower levels.
        events.sort_unstable();
        past.clear();
        for &(_, id) in &*events {
            let before = unfolding.event(id).before;
            // What a thread does for itself is told together with its next event.
            if let Some(journal) = journal(unfolding, before) {
                let own = unfolding.event(before).thread == unfolding.event(id).thread;
                past.push(if own { Past::Own(journal) } else { Past::Child(journal) });
            }
            past.extend(journal(unfolding, id).map(Past::Action));
        }
        known.push((event, end));
        system.order_after(thread, keep, past)
    }

    /// Forgets the journals of forgotten events.
    pub(super) fn forget_journals(&mut self) {
        let events = (0..self.unfolding.len() as u32).map(EventId);
        let journals: Vec<u32> = events.filter_map(|id| journal(&self.unfolding, id)).collect();
        self.system.retain_journals(&journals);
        self.told.forget();
    }
}

fn journal(unfolding: &Unfolding, id: EventId) -> Option<u32> {
    unfolding.print(id).journal.checked_sub(1)
}

/// The events of `[event]`, in the order in which C has them, with the local steps that belong to other events of
/// `[event]`.
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
