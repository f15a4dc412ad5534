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
    room: Room,
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
    pub(crate) fn order(&mut self, name: impl Fn(ObjectId) -> u64) -> u128 {
        self.journal.current.as_mut().map_or(0, |current| current.normal_form(name))
    }
}

impl Reading {
    fn new(model: RaceModel) -> Self {
        let mut detector = Detector::new(model);
        detector.start(ThreadId(0));
        detector.checking = true;
        let threads = BTreeMap::from([(ThreadId(0), false)]);
        let (chunks, objects, room) = Default::default();
        Reading { detector, chunks, objects, threads, told: 0, log: Trail::default(), room }
    }

    pub(super) fn mark(&mut self) {
        self.detector.mark();
        self.told += 1;
    }

    pub(super) fn undo(&mut self) {
        let Reading { detector, chunks, objects, threads, told, log, room: _ } = self;
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

    fn normal_form(&mut self, name: impl Fn(ObjectId) -> u64) -> u128 {
        let mut room = std::mem::take(&mut self.room);
        let form = self.normal_form_in(&mut room, name);
        self.room = room;
        form
    }

    fn normal_form_in(&self, room: &mut Room, name: impl Fn(ObjectId) -> u64) -> u128 {
        self.find_accesses(room);
        if room.accesses.is_empty() {
            return 0;
        }
        self.number_times(room);
        room.settle_accesses();
        let Room { accesses, times, covered, .. } = room;
        let mut sum = 0u128;
        let mut add = |what: &dyn Fn(&mut Words)| sum = sum.wrapping_add(words(Term::Order, |words| what(words)));
        for (index, Access { thread, chunk, number, kind, .. }) in accesses.iter().enumerate() {
            let bytes = left(accesses, index);
            if bytes != 0 {
                add(&|words| words.add((0u8, thread, chunk, number, kind, bytes)));
            }
        }
        for (thread, over) in &self.threads {
            let state = &self.detector.threads[thread.index()];
            for (tag, clock) in [(1u8, state.clock), (2, state.readable), (3, state.fenced)] {
                self.cover(times, clock, covered);
                // What it did itself it knows anyway.
                covered.retain(|(other, _)| tag == 3 || *other != thread.0);
                if !covered.is_empty() && (tag == 1 || !over) {
                    add(&|words| words.add((tag, thread, covered.as_slice())));
                }
            }
        }
        for object in &self.objects {
            let clocks = self.detector.published(*object).clocks;
            for (byte, clock) in clocks.into_iter().enumerate().filter(|(_, clock)| *clock != ClockId::NONE) {
                // (Mostly all bytes have the same one.)
                if byte == 0 || clocks[byte - 1] != clock {
                    self.cover(times, clock, covered);
                }
                if !covered.is_empty() {
                    add(&|words| words.add((4u8, name(*object), byte, covered.as_slice())));
                }
            }
            for (byte, head, clock) in self.heads_at(*object) {
                self.cover(times, clock, covered);
                if !covered.is_empty() {
                    add(&|words| words.add((5u8, name(*object), byte, head.0, covered.as_slice())));
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

    /// Finds the accesses that can still race.
    fn find_accesses(&self, room: &mut Room) {
        let Room { accesses, known, .. } = room;
        accesses.clear();
        known.clear();
        for (chunk, records) in &self.chunks {
            for record in self.detector.shadow.list(*records) {
                let thread = record.thread;
                let to_all = match known.iter().find(|(known, _)| *known == thread) {
                    Some((_, to_all)) => *to_all,
                    None => {
                        let to_all = self.known_to_all(ThreadId(thread));
                        known.push((thread, to_all));
                        to_all
                    }
                };
                if record.clock > to_all {
                    let (time, kind, bytes) = (record.clock, record.kind, record.bytes);
                    accesses.push(Access { thread, chunk: *chunk, time, number: 0, kind, bytes });
                }
            }
        }
    }

    /// Numbers the times of these accesses. Those that no clock tells apart have one number.
    fn number_times(&self, room: &mut Room) {
        let Room { accesses, times, components, clocks, .. } = room;
        times.clear();
        times.extend(accesses.iter().map(|access| (access.thread, access.time, 0)));
        times.sort_unstable();
        times.dedup();
        self.find_clocks(clocks);
        for times in times.chunk_by_mut(|one, next| one.0 == next.0) {
            let thread = times[0].0;
            components.clear();
            let to_others = clocks.iter().filter(|(own, _)| *own != Some(thread));
            components.extend(to_others.map(|(_, clock)| self.component(*clock, ThreadId(thread))));
            components.sort_unstable();
            components.dedup();
            let mut earlier = None;
            let mut number = 0;
            for (_, time, its) in times {
                let smaller = components.partition_point(|component| *component < *time);
                number += u32::from(earlier != Some(smaller));
                earlier = Some(smaller);
                *its = number;
            }
        }
        for access in accesses {
            let place = times.binary_search_by_key(&(access.thread, access.time), |time| (time.0, time.1));
            access.number = times[place.expect("each time is in the list")].2;
        }
    }

    /// All clocks that say to others than a thread, or may come to say, what they know of it. With each, the thread to
    /// which it says nothing: what that did itself it knows anyway.
    fn find_clocks(&self, clocks: &mut Vec<(Option<u32>, ClockId)>) {
        clocks.clear();
        for thread in self.threads.keys() {
            let state = &self.detector.threads[thread.index()];
            let own = Some(thread.0);
            clocks.extend([(own, state.clock), (own, state.readable), (None, state.fenced)]);
        }
        for object in &self.objects {
            // (Mostly all bytes have the same one. None says nothing of any time.)
            let mut last = ClockId::NONE;
            for clock in self.detector.published(*object).clocks {
                if clock != last && clock != ClockId::NONE {
                    clocks.push((None, clock));
                }
                last = clock;
            }
            clocks.extend(self.heads_at(*object).map(|(_, _, clock)| (None, clock)));
        }
        clocks.sort_unstable();
        clocks.dedup();
    }

    /// Finds, of each thread with such accesses, the greatest number of a time that a clock covers.
    fn cover(&self, times: &[(u32, u32, u32)], clock: ClockId, covered: &mut Vec<(u32, u32)>) {
        covered.clear();
        let components = self.detector.clocks.components(clock);
        for &(thread, time, number) in times {
            if components.get(thread as usize).is_some_and(|component| time <= *component) {
                match covered.last_mut() {
                    Some((last, greatest)) if *last == thread => *greatest = number,
                    _ => covered.push((thread, number)),
                }
            }
        }
    }
}

/// An access that can still race, with its time as it is and as a number.
#[derive(Clone, Copy, Debug)]
struct Access {
    thread: u32,
    chunk: u64,
    time: u32,
    number: u32,
    kind: AccessKind,
    bytes: u64,
}

impl Access {
    fn key(&self) -> (u32, u64, u32, AccessKind) {
        (self.thread, self.chunk, self.number, self.kind)
    }
}

/// Room for finding a normal form.
#[derive(Clone, Default, Debug)]
struct Room {
    accesses: Vec<Access>,
    /// By thread: what every other one knows of it.
    known: Vec<(u32, u32)>,
    /// Thread, time and number, sorted.
    times: Vec<(u32, u32, u32)>,
    clocks: Vec<(Option<u32>, ClockId)>,
    components: Vec<u32>,
    covered: Vec<(u32, u32)>,
}

impl Room {
    /// Sorts the accesses, and puts those together that differ in their bytes alone.
    fn settle_accesses(&mut self) {
        self.accesses.sort_unstable_by_key(Access::key);
        self.accesses.dedup_by(|next, access| {
            let same = next.key() == access.key();
            if same {
                access.bytes |= next.bytes;
            }
            same
        });
    }
}

/// The bytes of an access, but for those of which another one of the same thread says all that it says.
fn left(accesses: &[Access], index: usize) -> u64 {
    let access = &accesses[index];
    let of_the_place = |other: &&Access| (other.thread, other.chunk) == (access.thread, access.chunk);
    let before =
        accesses[..index].iter().rev().take_while(|other| of_the_place(other) && other.number == access.number);
    let after = accesses[index + 1..].iter().take_while(of_the_place);
    let replace = before.chain(after).filter(|other| other.kind.replaces(access.kind));
    access.bytes & !replace.fold(0, |said, other| said | other.bytes)
}
