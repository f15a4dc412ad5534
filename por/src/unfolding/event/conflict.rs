//! Which events are in direct conflict, and which of these are worth a look.
//!
//! Every write keeps lists of the accesses that come directly after it, by thread and lanes. The lists of accesses that
//! only read are apart: another one that only reads is in conflict with none of them. Every event keeps lists of the
//! choices after it, by thread.
//!
//! **Watching.** Where a search finds that an event cannot be added, the event leaves its list, and *watches* the
//! reason, its *obstacle* (see [`super::super::alternative`]), until that leaves the configuration or D. So an event in
//! a list may be possible or not; one that watches is not possible. No event is looked at again before its obstacle has
//! left, and that is as a rule one that stays long: [`super::super::configuration::Configuration::obstacle`].
use super::{AccessId, BOTTOM, Barrier, Bucket, Event, EventAccess, EventId, Follower, NONE, Parent, Unfolding};
use crate::system::{Access, ThreadId};

/// The first ones of the lists of a write: of accesses that only read, and of accesses that write.
pub(super) type FirstBuckets = [u32; 2];

/// No list.
pub(super) const NO_BUCKETS: FirstBuckets = [NONE; 2];

/// An entry of a list.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct EntryId(u32);

impl EntryId {
    fn new(index: u32) -> Option<EntryId> {
        (index != NONE).then_some(EntryId(index))
    }
}

/// A list of events that may be in conflict with one.
#[derive(Clone, Copy)]
pub(crate) struct List {
    bucket: u32,
    /// That one's access because of which they are; none if they are other choices.
    access: Option<AccessId>,
}

impl Unfolding {
    /// Enters an event into the list of choices after its thread predecessor.
    pub(super) fn link_choice(&mut self, event: EventId, thread: ThreadId, before: EventId) {
        let first = self.event(before).first_choices;
        let bucket = self.bucket(first, thread, u64::MAX);
        // (A new one is the first one now.)
        if first == NONE || bucket > first {
            self.event_mut(before).first_choices = bucket;
        }
        self.enter(bucket, event, AccessId(NONE));
    }

    /// Enters an access into the lists of its writers.
    pub(super) fn link_all(&mut self, access: AccessId, thread: ThreadId) {
        let (start, len) = self.access(access).parents;
        for i in start..start + u32::from(len) {
            self.link(access, thread, self.parents[i as usize]);
        }
    }

    /// Enters an access into the list of one of its writers.
    pub(super) fn link(&mut self, access: AccessId, thread: ThreadId, (parent, lanes): (Parent, u64)) {
        let &EventAccess { event, access: Access { object, writes, .. }, .. } = self.access(access);
        let (object, sort) = (object.index(), usize::from(writes != 0));
        if parent == Parent::Initial && self.initial_buckets.len() <= object {
            self.initial_buckets.resize(object + 1, NO_BUCKETS);
        }
        let bucket = self.bucket(self.first_buckets(object, parent)[sort], thread, lanes);
        let first = match parent {
            Parent::Write(writer) => &mut self.access_mut(writer).first_buckets[sort],
            Parent::Initial => &mut self.initial_buckets[object][sort],
        };
        if *first == NONE || bucket > *first {
            *first = bucket;
        }
        self.enter(bucket, event, access);
    }

    fn first_buckets(&self, object: usize, parent: Parent) -> FirstBuckets {
        match parent {
            Parent::Write(writer) => self.access(writer).first_buckets,
            Parent::Initial => self.initial_buckets[object],
        }
    }

    /// The list of that thread and lanes among those from `first` on, the newest one; made if there is none.
    fn bucket(&mut self, first: u32, thread: ThreadId, lanes: u64) -> u32 {
        let mut bucket = first;
        while bucket != NONE {
            let known = &self.buckets[bucket as usize];
            if known.thread == thread && known.lanes == lanes {
                return bucket;
            }
            bucket = known.next;
        }
        self.buckets.push(Bucket { thread, lanes, first_follower: NONE, next: first });
        self.buckets.len() as u32 - 1
    }

    fn enter(&mut self, bucket: u32, event: EventId, access: AccessId) {
        let entry = self.followers.len() as u32;
        let next = std::mem::replace(&mut self.buckets[bucket as usize].first_follower, entry);
        self.followers.push(Follower { event, access, bucket, next });
    }

    /// Hands out the lists of the events that may be in direct conflict with `event`, but for empty ones: the other
    /// choices after the same thread predecessor, and the dependent accesses that come after the same write. Those
    /// contain #ⁱ(event) within U, without the events that watch, and may contain an event twice, or events that are in
    /// the history of this one, or have it in theirs. No event may be made or forgotten for as long as these lists are
    /// in use.
    #[inline]
    pub(crate) fn lists(&self, event: EventId, mut hand_out: impl FnMut(List)) {
        let own = self.event(event);
        let mut next = if own.choice { self.event(own.before).first_choices } else { NONE };
        while next != NONE {
            let list = &self.buckets[next as usize];
            if list.thread == own.thread {
                hand_out(List { bucket: next, access: None });
            }
            next = list.next;
        }
        for access in self.access_ids(event) {
            let &EventAccess { parents: (start, len), access: Access { object, writes, .. }, .. } = self.access(access);
            for &(parent, lanes) in &self.parents[start as usize..start as usize + usize::from(len)] {
                let [reading, writing] = self.first_buckets(object.index(), parent);
                for first in [if writes == 0 { NONE } else { reading }, writing] {
                    let mut next = first;
                    while next != NONE {
                        let list = &self.buckets[next as usize];
                        let depends = list.thread != own.thread && list.lanes & lanes != 0;
                        if depends && list.first_follower != NONE {
                            hand_out(List { bucket: next, access: Some(access) });
                        }
                        next = list.next;
                    }
                }
            }
        }
    }

    /// The first entry of a list.
    pub(crate) fn first_entry(&self, list: List) -> Option<EntryId> {
        EntryId::new(self.buckets[list.bucket as usize].first_follower)
    }

    /// The entry after another one in its list.
    pub(crate) fn next_entry(&self, entry: EntryId) -> Option<EntryId> {
        EntryId::new(self.followers[entry.0 as usize].next)
    }

    /// The event of an entry, unless what it does does not depend on what the event does whose list that is.
    pub(crate) fn dependent(&self, list: List, entry: EntryId) -> Option<EventId> {
        let Follower { event, access: other, .. } = self.followers[entry.0 as usize];
        let depends = |own| self.access(own).access.depends(&self.access(other).access);
        list.access.is_none_or(depends).then_some(event)
    }

    /// Takes an entry out of its list, in which it comes after another one or is the first: it watches that event,
    /// which is in C or D.
    pub(crate) fn watch(&mut self, entry: EntryId, before: Option<EntryId>, obstacle: EventId) {
        let Follower { bucket, next, .. } = self.followers[entry.0 as usize];
        match before {
            Some(before) => self.followers[before.0 as usize].next = next,
            None => self.buckets[bucket as usize].first_follower = next,
        }
        let first = std::mem::replace(&mut self.event_mut(obstacle).first_watcher, entry.0);
        self.followers[entry.0 as usize].next = first;
    }

    /// Called when an event leaves C or D: what watches it is in the lists again.
    #[inline]
    pub(crate) fn release(&mut self, obstacle: EventId) {
        if self.event(obstacle).first_watcher != NONE {
            self.release_all(obstacle);
        }
    }

    fn release_all(&mut self, obstacle: EventId) {
        let mut entry = std::mem::replace(&mut self.event_mut(obstacle).first_watcher, NONE);
        while entry != NONE {
            let Follower { bucket, next, .. } = self.followers[entry as usize];
            let first = std::mem::replace(&mut self.buckets[bucket as usize].first_follower, entry);
            self.followers[entry as usize].next = first;
            entry = next;
        }
    }

    /// Has everything in the lists that watches one of these events, or has been found to be impossible for ever, which
    /// watches ⊥.
    pub(crate) fn release_watchers_of(&mut self, events: impl Iterator<Item = EventId>) {
        events.chain([BOTTOM]).for_each(|event| self.release(event));
    }

    /// The event that keeps one out of C, if it is known, and why.
    pub(crate) fn barrier(&self, id: EventId) -> Option<(EventId, Barrier)> {
        let barrier @ Barrier(known) = self.event(id).barrier;
        if barrier == Barrier::NONE {
            return None;
        }
        let other = EventId(known >> 1);
        let Event { disabled, in_configuration, .. } = *self.event(other);
        let holds = if known & 1 == 0 { disabled } else { in_configuration };
        holds.then_some((other, barrier))
    }

    /// This keeps these events out of C.
    pub(crate) fn bar(&mut self, events: &[EventId], barrier: Barrier) {
        events.iter().for_each(|event| self.event_mut(*event).barrier = barrier);
    }

    /// Appends the events in the lists of one that may be in conflict with it.
    pub(crate) fn conflicts(&self, event: EventId, found: &mut Vec<EventId>) {
        let &Event { thread, depth, .. } = self.event(event);
        self.lists(event, |list| {
            let mut next = self.first_entry(list);
            while let Some(entry) = next {
                next = self.next_entry(entry);
                // An event that already has another event of the same thread at the same depth in its history is not in
                // immediate conflict, whichever event that is, so that depths decide.
                let immediate = |&other: &EventId| {
                    let Event { thread: its_thread, depth: its_depth, .. } = *self.event(other);
                    let apart = its_depth > self.cone(event, its_thread) && self.cone(other, thread) < depth;
                    apart || list.access.is_none() && other != event
                };
                found.extend(self.dependent(list, entry).filter(immediate));
            }
        });
    }
}
