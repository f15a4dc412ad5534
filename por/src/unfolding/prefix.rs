//! The prefix of the unfolding that a walk explores, kept for users who want to look at it
//! ([`crate::Options::prefix`]).
//!
//! The walk forgets events and makes them again; here an event is found again by its name, so each is there once. What
//! passes before the last one explored does not count, as in the statistics.
use super::event::{BOTTOM, EventId, Unfolding};
use crate::system::{Accesses, Move};
use rustc_hash::FxHashMap;

/// The events that an exploration executed, causes before effects.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Prefix {
    /// All of them; others name them by their places here.
    pub events: Vec<PrefixEvent>,
}

/// An event of a [`Prefix`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PrefixEvent {
    /// The move that it is.
    pub action: Move,
    /// Its immediate causes.
    pub causes: Vec<usize>,
    /// What it touches.
    pub accesses: Accesses,
    /// It leads to a state to which a smaller configuration leads as well.
    pub cutoff: bool,
}

impl Prefix {
    /// The events that must have happened before one, and itself, in an order in which they can be executed.
    pub fn local_configuration(&self, event: usize) -> Vec<usize> {
        let mut found = vec![false; event + 1];
        let mut pending = vec![event];
        while let Some(next) = pending.pop() {
            if !std::mem::replace(&mut found[next], true) {
                pending.extend(&self.events[next].causes);
            }
        }
        (0..=event).filter(|other| found[*other]).collect()
    }

    /// The pairs in immediate conflict: those that exclude one another while their causes, together and with either of
    /// them, do not. Takes time and space in the square of the number of events.
    pub fn immediate_conflicts(&self) -> Vec<(usize, usize)> {
        let n = self.events.len();
        let mut before = vec![vec![false; n]; n];
        for (event, before) in before.iter_mut().enumerate() {
            self.local_configuration(event).into_iter().for_each(|cause| before[cause] = true);
        }
        let mut conflict = vec![vec![false; n]; n];
        let mut immediate = Vec::new();
        for b in 0..n {
            for a in 0..b {
                let excluded = before[b][a] || !self.depend(a, b);
                let inherited = self.events[a].causes.iter().any(|&cause| conflict[cause][b])
                    || self.events[b].causes.iter().any(|&cause| conflict[a][cause]);
                if !excluded && !inherited {
                    immediate.push((a, b));
                }
                (conflict[a][b], conflict[b][a]) = (!excluded || inherited, !excluded || inherited);
            }
        }
        immediate
    }

    fn depend(&self, a: usize, b: usize) -> bool {
        let (a, b) = (&self.events[a], &self.events[b]);
        let touch = || a.accesses.iter().any(|mine| b.accesses.iter().any(|other| mine.depends(other)));
        a.action.thread == b.action.thread || touch()
    }
}

/// A prefix in the making.
pub(super) struct Recording {
    prefix: Prefix,
    /// More events than that are not kept.
    most: usize,
    /// There were more.
    too_many: bool,
    /// Places of the events that the walk knows.
    places: FxHashMap<EventId, usize>,
    /// Places of all events by their names: the move, and the causes as the unfolding names them.
    names: FxHashMap<(Move, Vec<usize>), usize>,
}

impl Recording {
    pub(super) fn new(most: usize) -> Self {
        let (places, names) = (FxHashMap::default(), FxHashMap::default());
        Recording { prefix: Prefix::default(), most, too_many: false, places, names }
    }

    /// An event has been executed for the first time since it became known.
    pub(super) fn add(&mut self, id: EventId, unfolding: &Unfolding) {
        if self.too_many {
            return;
        }
        let event = unfolding.event(id);
        let action = Move { thread: event.thread, label: event.label };
        let known = [event.before].into_iter().filter(|before| *before != BOTTOM);
        let causes = known.chain(unfolding.predecessors(id).iter().copied());
        let causes: Vec<usize> = causes.map(|cause| self.places[&cause]).collect();
        let events = &mut self.prefix.events;
        let place = *self.names.entry((action, causes.clone())).or_insert(events.len());
        self.places.insert(id, place);
        let cutoff = event.cutoff && !event.beyond;
        if place < events.len() {
            events[place].cutoff = cutoff;
            return;
        }
        if events.len() == self.most {
            self.too_many = true;
            return;
        }
        let mut accesses = Accesses::none();
        unfolding.accesses(id).1.iter().for_each(|known| accesses.push(known.access));
        events.push(PrefixEvent { action, causes, accesses, cutoff });
    }

    /// Events have new numbers, or were forgotten.
    pub(super) fn rename(&mut self, map: &[Option<EventId>]) {
        let places = std::mem::take(&mut self.places);
        self.places = places.into_iter().filter_map(|(id, place)| Some((map[id.index()]?, place))).collect();
    }

    /// Another pass begins after that many events.
    pub(super) fn begin_pass(&mut self, len: usize) {
        self.prefix.events.truncate(len);
        self.places.retain(|_, place| *place < len);
        self.names.retain(|_, place| *place < len);
        // (Too many alone are too many in every pass.)
        self.too_many &= self.prefix.events.len() < len;
    }

    /// What was recorded, without causes of causes. `None` if that is too much.
    pub(super) fn finish(mut self) -> Option<Prefix> {
        for event in 0..self.prefix.events.len() {
            let causes = self.prefix.events[event].causes.clone();
            let pasts: Vec<Vec<usize>> = causes.iter().map(|cause| self.prefix.local_configuration(*cause)).collect();
            let direct = |cause: &usize| !pasts.iter().any(|past| past.contains(cause) && past.last() != Some(cause));
            self.prefix.events[event].causes.retain(direct);
        }
        (!self.too_many).then_some(self.prefix)
    }
}
