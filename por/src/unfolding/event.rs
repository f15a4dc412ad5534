//! The events known so far: an append-only store in which every event is found by its canonical name.
//!
//! An event is an action together with its history (RSSK15, Def. 3). Its name is kept short: the thread, the
//! event after which the thread stood (its *thread predecessor*), the label of the variant, and, per other thread, the
//! last event that the action depends on and that the thread predecessor does not know yet. These determine the
//! history ⌈e⌉ and are determined by it, so that equal names are equal events.
//!
//! Nothing here is ever changed but for what becomes known when an event is executed for the first time, and for marks.
mod conflict;
mod retain;

use super::foata::Line;
pub(crate) use conflict::{EntryId, List};
use conflict::{FirstBuckets, NO_BUCKETS};

use crate::Work;
use crate::system::{Access, Constraint, ThreadId};
use hashbrown::HashTable;
use hashbrown::hash_table::Entry;
use rustc_hash::FxHasher;
use serde::{Deserialize, Serialize};
use std::hash::Hasher;

/// An event: an index into the store. 0 is the bottom event ⊥ of RSSK15.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub(crate) struct EventId(pub(crate) u32);

/// An access of an event: an index into the store.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct AccessId(pub(crate) u32);

/// Marks an absent index in a list.
pub(crate) const NONE: u32 = u32::MAX;

/// The bottom event, in the history of every other.
pub(crate) const BOTTOM: EventId = EventId(0);

impl EventId {
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// What is known of an event.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Event {
    pub(crate) thread: ThreadId,
    pub(crate) label: u32,
    /// The last event of the thread before this one; for a thread's first event the one that created the thread.
    pub(crate) before: EventId,
    /// How many events of its thread its local configuration has.
    pub(crate) depth: u32,
    /// The thread that it creates, if it has been executed and creates one.
    pub(crate) created: Option<ThreadId>,
    /// Whether the event is in the current configuration C (really, or only for the time of a search).
    pub(crate) in_configuration: bool,
    /// Whether the event is in D.
    pub(crate) disabled: bool,
    /// Whether the event has been executed at least once: then the words of its accesses are known.
    pub(crate) executed: bool,
    /// It leads to a state to which a smaller configuration leads as well, or comes after such an event, and does not
    /// count as enabled.
    pub(crate) cutoff: bool,
    /// It does not count as enabled because it is beyond the bound of this pass: see [`super::deepening`].
    pub(crate) beyond: bool,
    /// It is a cutoff, and counts as enabled all the same, but nothing that comes after it does.
    pub(crate) kept: bool,
    /// Whether the races of the event have been reversed.
    pub(crate) reversed: bool,
    /// See [`Name::choice`].
    pub(crate) choice: bool,
    /// What it settles of the data.
    pub(crate) constraint: Option<Constraint>,
    /// Start and length of its cone and of its predecessors in the store's arenas.
    cone: (u32, u16),
    predecessors: (u32, u16),
    accesses: (u32, u8),
    /// First of the lists of choices whose thread predecessor is this one.
    first_choices: u32,
    /// First of the entries that watch this event: see [`conflict`].
    first_watcher: u32,
    /// What kept it out of C the last time: see [`super::alternative`].
    barrier: Barrier,
}

/// An event because of which another one cannot be added to C, or none that is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Barrier(u32);

impl Barrier {
    /// None is known.
    const NONE: Self = Barrier(NONE);

    /// It is in the history of the other one, which cannot be added as long as it is in D.
    pub(crate) fn cause(event: EventId) -> Self {
        Barrier(event.0 << 1)
    }

    /// The two are in conflict: the other one cannot be added as long as this one is in C.
    pub(crate) fn conflict(event: EventId) -> Self {
        Barrier(event.0 << 1 | 1)
    }
}

/// What an executed event contributes to the fingerprint and the measure of the configurations that have it.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) struct Print {
    /// What the thread's events up to and with this one changed, its control after this one, and the local steps
    /// between them: its share of the state's fingerprint.
    pub(crate) share: u128,
    /// The same with the local steps after this one but without the thread's control: what the next event adds to.
    pub(crate) behind: u128,
    /// The same for the first event of the thread that it creates.
    pub(crate) child: u128,
    /// Sum of the weights of the thread's letters, if its line is settled.
    pub(crate) weight: u128,
    /// The levels and letters of the thread's events. Like the weight it is settled when it is needed: see
    /// [`super::fingerprint`].
    pub(crate) line: Option<Line>,
    /// One more than the largest level of an event that it depends on directly.
    pub(crate) level: u32,
    /// One more than the number of its journal, if it has one, see [`crate::System::keep_journal`].
    pub(crate) journal: u32,
}

impl Default for Print {
    /// That of an event that does not count: see [`super::walk::Walk::alone`].
    fn default() -> Self {
        Print { share: 0, behind: 0, child: 0, weight: 0, line: Some(Line::default()), level: 0, journal: 0 }
    }
}

/// One access of an event.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct EventAccess {
    pub(crate) event: EventId,
    pub(crate) access: Access,
    /// The object's word just before the event. Only the lanes touched are a function of the event.
    pub(crate) word_before: u64,
    /// Start and length, in the store's arena, of the writers after which it comes.
    parents: (u32, u8),
    /// First of the lists of accesses that come directly after this write.
    first_buckets: FirstBuckets,
}

/// A list: the accesses by one thread that come directly after one write on the same lanes, or that no write precedes;
/// or the choices of one thread after one event.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct Bucket {
    thread: ThreadId,
    /// On which lanes the write is their last one.
    lanes: u64,
    first_follower: u32,
    next: u32,
}

/// An entry of a list, which is there or watches an event.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct Follower {
    event: EventId,
    /// Which access of the event it is, if it is not a choice.
    access: AccessId,
    bucket: u32,
    /// The next one in the list, or that watches the same event.
    next: u32,
}

/// The last writer on some lane of an access, or the object's initial state.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) enum Parent {
    Write(AccessId),
    Initial,
}

/// Everything that makes a new event, gathered by the caller.
pub(crate) struct Name<'a> {
    pub(crate) thread: ThreadId,
    pub(crate) label: u32,
    /// There are other variants at the same history, or this one touches less than its operation's footprint: only then
    /// can it be in *immediate* conflict with another event of its thread after the same predecessor. (Two events of
    /// one operation that touches all of its footprint differ by a dependent event in the history of one of them,
    /// which is itself in conflict with the other.)
    pub(crate) choice: bool,
    pub(crate) before: EventId,
    /// Sorted by thread, at most one per thread.
    pub(crate) predecessors: &'a [EventId],
    pub(crate) accesses: &'a [Access],
    /// Last writers, as (index of the access, parent, lanes).
    pub(crate) parents: &'a [(u8, Parent, u64)],
}

/// The set U of RSSK15, Algorithm 1 (and what is left of G).
#[derive(Default, Serialize, Deserialize)]
pub(crate) struct Unfolding {
    events: Vec<Event>,
    /// Of the events that have one; shorter than `events` if the last ones do not.
    prints: Vec<Print>,
    accesses: Vec<EventAccess>,
    cones: Vec<u32>,
    predecessors: Vec<EventId>,
    parents: Vec<(Parent, u64)>,
    followers: Vec<Follower>,
    buckets: Vec<Bucket>,
    /// Per object the first bucket of accesses without a writer before them.
    initial_buckets: Vec<FirstBuckets>,
    #[serde(skip)]
    names: HashTable<u32>,
    /// How often an event was asked for by its name.
    lookups: u64,
    /// How many events have been forgotten.
    forgotten: u64,
    /// The arenas as they were before the last compaction, emptied, for the next one.
    #[serde(skip)]
    spare: Option<Box<Unfolding>>,
}

impl Unfolding {
    /// The unfolding that has only ⊥.
    pub(crate) fn new() -> Self {
        let mut unfolding = Unfolding::default();
        unfolding.events.push(Event {
            thread: ThreadId(u32::MAX),
            label: 0,
            before: BOTTOM,
            depth: 0,
            created: Some(ThreadId(0)),
            in_configuration: true,
            disabled: false,
            executed: true,
            cutoff: false,
            beyond: false,
            kept: false,
            reversed: true,
            choice: false,
            constraint: None,
            cone: (0, 0),
            predecessors: (0, 0),
            accesses: (0, 0),
            first_choices: NONE,
            first_watcher: NONE,
            barrier: Barrier::NONE,
        });
        unfolding
    }

    /// Puts the events into the table of names again.
    pub(crate) fn index(&mut self) {
        let Unfolding { names, events, predecessors, .. } = self;
        let hash = |&id: &u32| hash_known(events, predecessors, id);
        names.clear();
        (1..events.len() as u32).for_each(|id| {
            names.insert_unique(hash(&id), id, hash);
        });
    }

    /// Adds to the counts of the work done so far.
    pub(crate) fn note_work(&self, work: &mut Work) {
        work.events_forgotten = self.forgotten;
        work.events_made = self.forgotten + self.len() as u64 - 1;
        work.events_found_again = self.lookups - work.events_made;
        work.most_events = work.most_events.max(self.len() as u64);
    }

    /// Number of events, ⊥ included.
    pub(crate) fn len(&self) -> usize {
        self.events.len()
    }

    pub(crate) fn event(&self, id: EventId) -> &Event {
        &self.events[id.index()]
    }

    /// The event of that number, if there is one.
    pub(crate) fn known(&self, id: EventId) -> Option<&Event> {
        self.events.get(id.index())
    }

    pub(crate) fn event_mut(&mut self, id: EventId) -> &mut Event {
        &mut self.events[id.index()]
    }

    /// How many events of `thread` the local configuration of `id` has.
    pub(crate) fn cone(&self, id: EventId, thread: ThreadId) -> u32 {
        let (start, len) = self.events[id.index()].cone;
        if thread.0 < u32::from(len) { self.cones[(start + thread.0) as usize] } else { 0 }
    }

    /// Whether `small` ≤ `large`, for two events that occur in one configuration.
    pub(crate) fn includes(&self, large: EventId, small: EventId) -> bool {
        let event = self.event(small);
        small == BOTTOM || self.cone(large, event.thread) >= event.depth
    }

    /// Whether the event comes after a cutoff that is in a configuration all the same.
    pub(crate) fn is_behind_cutoff(&self, id: EventId) -> bool {
        self.event(self.event(id).before).kept || self.predecessors(id).iter().any(|&p| self.event(p).kept)
    }

    /// The local configuration's number of events in each thread.
    pub(crate) fn whole_cone(&self, id: EventId) -> &[u32] {
        slice(&self.cones, self.events[id.index()].cone)
    }

    /// The print of an event; nothing but zeros as long as none was given.
    pub(crate) fn print(&self, id: EventId) -> Print {
        self.prints.get(id.index()).copied().unwrap_or_default()
    }

    /// The lines of all events that have one.
    pub(crate) fn lines_mut(&mut self) -> impl Iterator<Item = &mut Line> {
        self.prints.iter_mut().filter_map(|print| print.line.as_mut())
    }

    pub(crate) fn set_print(&mut self, id: EventId, print: Print) {
        if self.prints.len() <= id.index() {
            self.prints.resize(id.index() + 1, Print::default());
        }
        self.prints[id.index()] = print;
    }

    /// Other threads' last events that the action depends on, beyond the thread predecessor's history.
    #[inline]
    pub(crate) fn predecessors(&self, id: EventId) -> &[EventId] {
        slice(&self.predecessors, self.events[id.index()].predecessors)
    }

    /// The accesses of an event, as indices.
    pub(crate) fn access_ids(&self, id: EventId) -> impl Iterator<Item = AccessId> + use<> {
        let (start, len) = self.events[id.index()].accesses;
        (start..start + u32::from(len)).map(AccessId)
    }

    /// The index of the first access of an event, and its accesses.
    pub(crate) fn accesses(&self, id: EventId) -> (u32, &[EventAccess]) {
        let (start, len) = self.events[id.index()].accesses;
        (start, slice(&self.accesses, (start, len.into())))
    }

    pub(crate) fn access(&self, id: AccessId) -> &EventAccess {
        &self.accesses[id.0 as usize]
    }

    pub(crate) fn access_mut(&mut self, id: AccessId) -> &mut EventAccess {
        &mut self.accesses[id.0 as usize]
    }

    /// Whether the event's accesses are exactly these.
    pub(crate) fn has_accesses(&self, id: EventId, accesses: &[Access]) -> bool {
        let (start, len) = self.events[id.index()].accesses;
        let own = &self.accesses[start as usize..][..usize::from(len)];
        own.len() == accesses.len() && own.iter().zip(accesses).all(|(a, b)| a.access == *b)
    }

    /// The event of that name, made if it is new.
    pub(crate) fn insert(&mut self, name: &Name<'_>) -> EventId {
        self.lookups += 1;
        let hash = hash_name(name.thread, name.label, name.before, name.predecessors);
        let Unfolding { names, events, predecessors, .. } = self;
        let same = |&id: &u32| {
            let event = &events[id as usize];
            event.before == name.before
                && event.thread == name.thread
                && event.label == name.label
                && slice(predecessors, event.predecessors) == name.predecessors
        };
        match names.entry(hash, same, |&id| hash_known(events, predecessors, id)) {
            Entry::Occupied(known) => EventId(*known.get()),
            Entry::Vacant(place) => {
                place.insert(events.len() as u32);
                self.add(name)
            }
        }
    }

    /// Adds an event whose name is in the table already.
    fn add(&mut self, name: &Name<'_>) -> EventId {
        let id = EventId(self.events.len() as u32);
        // (Also for the first event of a thread whose number another one had that the creator knows to be over.)
        let depth = self.cone(name.before, name.thread) + 1;
        let cone = self.make_cone(name, depth);
        let predecessors = (self.predecessors.len() as u32, name.predecessors.len() as u16);
        // Mostly one or two.
        for &p in name.predecessors {
            self.predecessors.push(p);
        }
        let accesses = (self.accesses.len() as u32, name.accesses.len() as u8);
        self.accesses.extend(name.accesses.iter().map(|&access| EventAccess {
            event: id,
            access,
            word_before: 0,
            parents: (0, 0),
            first_buckets: NO_BUCKETS,
        }));
        for index in 0..name.accesses.len() {
            let start = self.parents.len() as u32;
            let id = AccessId(accesses.0 + index as u32);
            for &(_, parent, lanes) in name.parents.iter().filter(|p| usize::from(p.0) == index) {
                self.parents.push((parent, lanes));
                self.link(id, name.thread, (parent, lanes));
            }
            self.access_mut(id).parents = (start, (self.parents.len() as u32 - start) as u8);
        }
        if name.choice {
            self.link_choice(id, name.thread, name.before);
        }
        self.events.push(Event {
            thread: name.thread,
            label: name.label,
            before: name.before,
            depth,
            created: None,
            in_configuration: false,
            disabled: false,
            executed: false,
            cutoff: false,
            beyond: false,
            kept: false,
            reversed: false,
            choice: name.choice,
            constraint: None,
            cone,
            predecessors,
            accesses,
            first_choices: NONE,
            first_watcher: NONE,
            barrier: Barrier::NONE,
        });
        id
    }

    /// Appends the cone of a new event: the maximum of its predecessors' cones, plus itself.
    fn make_cone(&mut self, name: &Name<'_>, depth: u32) -> (u32, u16) {
        let (start, len) = self.events[name.before.index()].cone;
        let first = self.cones.len();
        self.cones.extend_from_within(start as usize..start as usize + usize::from(len));
        for &p in name.predecessors {
            let (start, len) = self.events[p.index()].cone;
            let (known, mine) = self.cones.split_at_mut(first);
            let other = &known[start as usize..][..usize::from(len)];
            let common = mine.len().min(other.len());
            for (mine, &other) in mine.iter_mut().zip(other) {
                *mine = other.max(*mine);
            }
            if common < usize::from(len) {
                self.cones.extend_from_within(start as usize + common..start as usize + usize::from(len));
            }
        }
        let own = first + name.thread.index();
        if self.cones.len() <= own {
            self.cones.resize(own + 1, 0);
        }
        self.cones[own] = depth;
        (first as u32, (self.cones.len() - first) as u16)
    }
}

/// The part of an arena that begins there and is so long.
fn slice<T>(arena: &[T], (start, len): (u32, u16)) -> &[T] {
    &arena[start as usize..][..usize::from(len)]
}

/// The hash of the name of an event that is in the store.
fn hash_known(events: &[Event], predecessors: &[EventId], id: u32) -> u64 {
    let event = &events[id as usize];
    hash_name(event.thread, event.label, event.before, slice(predecessors, event.predecessors))
}

fn hash_name(thread: ThreadId, label: u32, before: EventId, predecessors: &[EventId]) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write_u64(u64::from(before.0) << 32 | u64::from(thread.0));
    hasher.write_u32(label);
    for p in predecessors {
        hasher.write_u32(p.0);
    }
    hasher.finish()
}
