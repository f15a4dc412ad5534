//! The state of happens-before in a normal form: two histories have the same one iff each access made so far can race
//! with the same of what may follow.
//!
//! What a clock says of a thread matters only as far as it tells apart accesses of that thread that can still race. So
//! the times of such accesses are numbered; a clock's component becomes the number of those that it covers. An access
//! of which every other thread knows that is not over can race with nothing any more, and what was released to a lock
//! or location matters only as far as some thread does not know it. So loops come back to the same normal form.
use super::clock::ClockId;
use super::journal::{Entry, Journal, Page};
use super::shadow::{AccessKind, Records};
use super::{Detector, RaceModel};
use crate::fingerprint::{Term, Words, words};
use crate::memory::{ObjectKey, Origin, StackId};
use crate::undo::trail::Trail;
use por::{ObjectId, Past, ThreadId};
use std::collections::{BTreeMap, BTreeSet};

/// A detector that goes through journals, and back.
#[derive(Clone, Debug)]
pub(super) struct Reading {
    detector: Detector,
    /// The records of each chunk, by address.
    chunks: BTreeMap<u64, Records>,
    /// Synchronisation objects and locations to which something may have been released.
    objects: BTreeSet<ObjectId>,
    /// Threads that exist and were not joined; whether they have ended.
    threads: BTreeMap<ThreadId, bool>,
    /// How often something was read.
    told: u32,
    /// What of all that was before.
    log: Trail<Was>,
}

/// What a part of a reading was before it changed.
#[derive(Clone, Debug)]
enum Was {
    Chunk(u64, Option<Records>),
    Object(ObjectId, bool),
    Thread(ThreadId, Option<bool>),
}

impl Detector {
    /// See [`por::System::order_behind`]: the term of what is ordered and what is not. `key` says what an object is.
    pub(crate) fn order_after(
        &mut self,
        thread: ThreadId,
        keep: usize,
        new: &[Past],
        key: impl Fn(ObjectId) -> (u64, ObjectKey),
    ) -> u128 {
        let Journal { pages, readings, .. } = &mut self.journal;
        while readings.len() <= thread.index() {
            readings.push(Reading::new(self.model));
        }
        let reading = &mut readings[thread.index()];
        while reading.told as usize > keep {
            reading.undo();
        }
        reading.mark();
        for part in new {
            let (Past::Action(journal) | Past::Own(journal) | Past::Child(journal)) = *part;
            let Page { entries, child, local } = &pages[journal as usize];
            let (first, second) = match part {
                Past::Action(_) => (0..child.start, child.end..*local),
                Past::Own(_) => (*local..entries.len(), 0..0),
                Past::Child(_) => (child.clone(), 0..0),
            };
            for entry in entries[first].iter().chain(&entries[second]) {
                reading.read(entry, &key);
            }
        }
        reading.normal_form(|object| key(object).0)
    }
}

impl Detector {
    /// From now on the journal of each action is to be read with [`Detector::read_journal`]. Nothing has happened yet.
    pub(crate) fn read_journals(&mut self) {
        self.journal.current = Some(Box::new(Reading::new(self.model)));
    }

    /// Reads what the action contributed that was executed last.
    pub(crate) fn read_journal(&mut self, key: impl Fn(ObjectId) -> (u64, ObjectKey)) {
        self.journal.end_stretch();
        let Journal { entries, current, .. } = &mut self.journal;
        if let Some(current) = current {
            entries.iter().for_each(|entry| current.read(entry, &key));
        }
    }

    /// The term of what is ordered in the current state and what is not.
    pub(crate) fn order(&self, name: impl Fn(ObjectId) -> u64) -> u128 {
        self.journal.current.as_ref().map_or(0, |current| current.normal_form(name))
    }
}

impl Reading {
    fn new(model: RaceModel) -> Self {
        let mut detector = Detector::new(model);
        detector.start(ThreadId(0));
        detector.checking = true;
        let threads = BTreeMap::from([(ThreadId(0), false)]);
        let (chunks, objects) = Default::default();
        Reading { detector, chunks, objects, threads, told: 0, log: Trail::default() }
    }

    pub(super) fn mark(&mut self) {
        self.detector.mark();
        self.told += 1;
    }

    pub(super) fn undo(&mut self) {
        let Reading { detector, chunks, objects, threads, told, log } = self;
        detector.undo();
        log.take_back(*told, |was| match *was {
            Was::Chunk(chunk, Some(records)) => drop(chunks.insert(chunk, records)),
            Was::Chunk(chunk, None) => drop(chunks.remove(&chunk)),
            Was::Object(object, true) => drop(objects.insert(object)),
            Was::Object(object, false) => drop(objects.remove(&object)),
            Was::Thread(thread, Some(over)) => drop(threads.insert(thread, over)),
            Was::Thread(thread, None) => drop(threads.remove(&thread)),
        });
        *told -= 1;
    }

    /// About how many bytes it takes.
    pub(super) fn bytes(&self) -> usize {
        let maps = 3 * (self.chunks.len() * size_of::<(u64, Records)>() + self.objects.len() * size_of::<ObjectId>());
        self.detector.bytes() + maps + self.log.bytes()
    }

    /// Something was released to the object.
    fn use_object(&mut self, object: ObjectId) {
        if self.objects.insert(object) {
            self.log.push(self.told, Was::Object(object, false));
        }
    }

    /// The thread exists, and is over or not; or it does not any more.
    fn set_thread(&mut self, thread: ThreadId, over: Option<bool>) {
        let was = match over {
            Some(over) => self.threads.insert(thread, over),
            None => self.threads.remove(&thread),
        };
        self.log.push(self.told, Was::Thread(thread, was));
    }

    fn read(&mut self, entry: &Entry, key: impl Fn(ObjectId) -> (u64, ObjectKey)) {
        let detector = &mut self.detector;
        match *entry {
            Entry::Fork(parent, child) => {
                detector.fork(parent, child);
                self.set_thread(child, Some(false));
            }
            Entry::Join(thread, ended) => {
                detector.join(thread, ended);
                self.set_thread(ended, None);
            }
            Entry::End(thread) => self.set_thread(thread, Some(true)),
            Entry::Acquire(thread, object) => detector.acquire(thread, object),
            Entry::Load(thread, object, bytes, ordering) => detector.atomic_load(thread, object, bytes, ordering),
            Entry::Fence(thread, ordering) => detector.fence(thread, ordering),
            Entry::Release(thread, object) => {
                detector.release(thread, object);
                self.use_object(object);
            }
            Entry::ReleaseMore(thread, object) => {
                detector.release_more(thread, object);
                self.use_object(object);
            }
            Entry::Store(thread, object, bytes, ordering) => {
                detector.atomic_store(thread, object, bytes, ordering);
                self.use_object(object);
            }
            Entry::Update(thread, object, bytes, ordering) => {
                detector.atomic_rmw(thread, object, bytes, ordering);
                self.use_object(object);
            }
            Entry::Access(thread, chunk, kind, bytes) => self.access(thread, chunk, kind, bytes),
            Entry::Gone(base, size) => {
                let Reading { chunks, objects, log, told, .. } = self;
                let gone: Vec<u64> = chunks.range(base..base + size.max(1)).map(|(chunk, _)| *chunk).collect();
                for chunk in gone {
                    log.push(*told, Was::Chunk(chunk, chunks.remove(&chunk)));
                }
                objects.retain(|object| {
                    let inside = matches!(key(*object).1, ObjectKey::InMemory { base: at, .. } if at == base);
                    if inside {
                        log.push(*told, Was::Object(*object, true));
                    }
                    !inside
                });
            }
        }
    }

    fn access(&mut self, thread: ThreadId, chunk: u64, kind: AccessKind, bytes: u64) {
        let Reading { detector, chunks, log, told, .. } = self;
        let origin = Origin { thread, event: 0, stack: StackId::EMPTY, mode: kind.mode() };
        detector.enter(thread);
        let new = detector.record(&origin, kind.writes(), bytes);
        let before = chunks.get(&chunk).copied();
        let mut records = before.unwrap_or_default();
        let finding = detector.find(records, &new);
        // What is new since the last mark is changed where it is; what was before that is in the log then.
        if before.is_none_or(|before| !detector.is_new(before)) {
            log.push(*told, Was::Chunk(chunk, before));
        }
        detector.remember(&mut records, &new, finding);
        chunks.insert(chunk, records);
    }

    fn component(&self, clock: ClockId, thread: ThreadId) -> u32 {
        self.detector.clocks.component(clock, thread)
    }

    /// What every thread but this one that is not over knows of it.
    fn known_to_all(&self, thread: ThreadId) -> u32 {
        let others = self.threads.iter().filter(|(other, over)| **other != thread && !**over);
        others
            .map(|(other, _)| self.component(self.detector.threads[other.index()].clock, thread))
            .min()
            .unwrap_or(u32::MAX)
    }

    fn normal_form(&self, name: impl Fn(ObjectId) -> u64) -> u128 {
        let times = self.times();
        if times.is_empty() {
            return 0;
        }
        let mut sum = 0u128;
        let mut add = |what: &dyn Fn(&mut Words)| sum = sum.wrapping_add(words(Term::Order, |words| what(words)));
        for ((thread, chunk, number, kind), bytes) in self.accesses(&times) {
            add(&|words| words.add((0u8, thread, chunk, number, kind, bytes)));
        }
        // Of each thread with such accesses, how many of them a clock covers.
        let covered = |clock: ClockId| -> Vec<(u32, usize)> {
            let covered = times.iter().map(|(t, times)| (*t, times.covered(self.component(clock, ThreadId(*t)))));
            covered.filter(|(_, covered)| *covered > 0).collect()
        };
        for (thread, over) in &self.threads {
            let state = &self.detector.threads[thread.index()];
            for (tag, clock) in [(1u8, state.clock), (2, state.readable), (3, state.fenced)] {
                let mut covered = covered(clock);
                // What it did itself it knows anyway.
                covered.retain(|(other, _)| tag == 3 || *other != thread.0);
                if !covered.is_empty() && (tag == 1 || !over) {
                    add(&|words| words.add((tag, thread, &covered)));
                }
            }
        }
        for object in &self.objects {
            for (byte, clock) in self.detector.published(*object).clocks.into_iter().enumerate() {
                let covered = if clock == ClockId::NONE { Vec::new() } else { covered(clock) };
                if !covered.is_empty() {
                    add(&|words| words.add((4u8, name(*object), byte, &covered)));
                }
            }
            for (byte, head, clock) in self.heads_at(*object) {
                let covered = covered(clock);
                if !covered.is_empty() {
                    add(&|words| words.add((5u8, name(*object), byte, head.0, &covered)));
                }
            }
        }
        sum
    }

    /// The release sequences at an object that their threads may still carry on.
    fn heads_at(&self, object: ObjectId) -> impl Iterator<Item = (usize, ThreadId, ClockId)> {
        let goes_on = |head: &ThreadId| self.threads.get(head) == Some(&false);
        self.detector.heads_at(object).filter(move |(_, head, _)| goes_on(head))
    }

    /// The times of accesses that can still race, by thread.
    fn times(&self) -> BTreeMap<u32, Times> {
        let mut all = BTreeMap::new();
        for record in self.chunks.values().flat_map(|records| self.detector.shadow.list(*records)) {
            let times: &mut Times = all.entry(record.thread).or_default();
            times.numbers.insert(record.clock, 0);
        }
        let mut components: Vec<u32> = Vec::new();
        for (thread, times) in &mut all {
            let known = self.known_to_all(ThreadId(*thread));
            times.numbers.retain(|time, _| *time > known);
            if times.numbers.is_empty() {
                continue;
            }
            components.clear();
            components.extend(self.clocks(*thread).map(|clock| self.component(clock, ThreadId(*thread))));
            components.sort_unstable();
            components.dedup();
            let mut earlier = None;
            let mut number = 0;
            for (time, its) in &mut times.numbers {
                let smaller = components.partition_point(|component| *component < *time);
                number += usize::from(earlier != Some(smaller));
                earlier = Some(smaller);
                *its = number;
            }
        }
        all.retain(|_, times| !times.numbers.is_empty());
        all
    }

    /// All clocks that say to others than this thread, or may come to say, what they know of it.
    fn clocks(&self, thread: u32) -> impl Iterator<Item = ClockId> {
        let own = move |other: ThreadId| other.0 == thread;
        let threads = self.threads.keys().map(move |other| (own(*other), &self.detector.threads[other.index()]));
        let threads = threads.flat_map(|(own, state)| {
            let others = [state.clock, state.readable].into_iter().filter(move |_| !own);
            others.chain([state.fenced])
        });
        let carried_on = self.objects.iter().flat_map(|object| self.heads_at(*object).map(|(_, _, clock)| clock));
        let published = self.objects.iter().flat_map(|object| self.detector.published(*object).clocks);
        threads.chain(published).chain(carried_on)
    }

    /// The accesses that can still race (thread, chunk, number of their time, kind) with their bytes, but for those of
    /// which another one of the same thread says all that they say.
    fn accesses(&self, times: &BTreeMap<u32, Times>) -> BTreeMap<(u32, u64, usize, AccessKind), u64> {
        let mut all = BTreeMap::new();
        for (chunk, records) in &self.chunks {
            for record in self.detector.shadow.list(*records) {
                let number = times.get(&record.thread).and_then(|times| times.numbers.get(&record.clock));
                if let Some(number) = number {
                    *all.entry((record.thread, *chunk, *number, record.kind)).or_default() |= record.bytes;
                }
            }
        }
        let known = all.clone();
        all.retain(|&(thread, chunk, number, kind), bytes| {
            let others = known
                .range((thread, chunk, number, AccessKind::PlainWrite)..(thread, chunk + 1, 0, AccessKind::PlainWrite));
            let others = others.filter(|((_, _, n, k), _)| (*n, *k) != (number, kind) && k.replaces(kind));
            *bytes &= !others.fold(0, |said, (_, bytes)| said | bytes);
            *bytes != 0
        });
        all
    }
}

/// The times of a thread's accesses that can still race. Those that no clock tells apart have one number.
#[derive(Default)]
struct Times {
    numbers: BTreeMap<u32, usize>,
}

impl Times {
    /// The greatest number that a clock covers with that component.
    fn covered(&self, component: u32) -> usize {
        self.numbers.range(..=component).next_back().map_or(0, |(_, number)| *number)
    }
}
