//! A second detector that goes through journals, and back, and what it has come to know: that is brought into a normal
//! form, see [`super::normal`].
use super::journal::{Entry, Journal, Page};
use super::normal::{Known, Room};
use super::shadow::{AccessKind, Records};
use super::{Detector, RaceModel};
use crate::fingerprint::name_of;
use crate::memory::{ObjectKey, Origin, StackId};
use crate::undo::trail::Trail;
use por::{ObjectId, Past, ThreadId};

/// A detector that goes through journals, and back.
#[derive(Clone, Debug)]
pub(super) struct Reading {
    detector: Detector,
    /// The records of each chunk, by address.
    chunks: SmallMap<u64, Records>,
    /// Synchronisation objects and locations to which something may have been released, and their names.
    objects: SmallMap<ObjectId, u64>,
    /// Threads that exist and were not joined; whether they have ended.
    threads: SmallMap<ThreadId, bool>,
    /// Blocks that another thread than their own has freed, by address.
    handed_over: SmallMap<u64, HandedOver>,
    /// How often something was read.
    told: u32,
    /// What of all that was before.
    log: Trail<Was>,
    room: Room,
}

/// Which thread has freed a block, when, and whose it was.
#[derive(Clone, Copy, Debug)]
pub(super) struct HandedOver {
    pub(super) by: ThreadId,
    pub(super) time: u32,
    pub(super) owner: ThreadId,
}

/// What a part of a reading was before it changed.
#[derive(Clone, Debug)]
enum Was {
    Chunk(u64, Option<Records>),
    Object(ObjectId, Option<u64>),
    Thread(ThreadId, Option<bool>),
    HandedOver(u64, Option<HandedOver>),
}

impl Detector {
    /// See [`por::System::order_behind`]: the term of what is ordered and what is not. `key` says what an object is.
    pub(crate) fn order_after(
        &mut self,
        thread: ThreadId,
        keep: usize,
        new: &[Past],
        key: impl Fn(ObjectId) -> ObjectKey,
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
        reading.normal_form()
    }
}

impl Detector {
    /// From now on the journal of each action is to be read with [`Detector::read_journal`]. Nothing has happened yet.
    pub(crate) fn read_journals(&mut self) {
        self.journal.current = Some(Box::new(Reading::new(self.model)));
    }

    /// From now on it is not.
    pub(crate) fn read_journals_no_more(&mut self) {
        self.journal.current = None;
        self.stop_looking_for_sharing();
    }

    /// Reads what the action contributed that was executed last.
    pub(crate) fn read_journal(&mut self, key: impl Fn(ObjectId) -> ObjectKey) {
        self.journal.end_stretch();
        let Journal { entries, current, .. } = &mut self.journal;
        if let Some(current) = current {
            entries.iter().for_each(|entry| current.read(entry, &key));
        }
    }

    /// The term of what is ordered in the current state and what is not.
    pub(crate) fn order(&mut self) -> u128 {
        self.journal.current.as_mut().map_or(0, |current| current.normal_form())
    }
}

impl Reading {
    fn new(model: RaceModel) -> Self {
        let mut detector = Detector::new(model);
        detector.start(ThreadId(0));
        detector.checking = true;
        let (mut threads, chunks, objects, handed_over, room) = <(SmallMap<_, _>, _, _, _, _)>::default();
        threads.set(ThreadId(0), Some(false));
        Reading { detector, chunks, objects, threads, handed_over, told: 0, log: Trail::default(), room }
    }

    pub(super) fn mark(&mut self) {
        self.detector.mark();
        self.told += 1;
    }

    pub(super) fn undo(&mut self) {
        let Reading { detector, chunks, objects, threads, handed_over, told, log, room: _ } = self;
        detector.undo();
        log.take_back(*told, |was| match *was {
            Was::Chunk(chunk, records) => _ = chunks.set(chunk, records),
            Was::Object(object, name) => _ = objects.set(object, name),
            Was::Thread(thread, over) => _ = threads.set(thread, over),
            Was::HandedOver(base, entry) => _ = handed_over.set(base, entry),
        });
        *told -= 1;
    }

    /// About how many bytes it takes.
    pub(super) fn bytes(&self) -> usize {
        let blocks = self.handed_over.len() * size_of::<(u64, HandedOver)>();
        let maps =
            3 * (blocks + self.chunks.len() * size_of::<(u64, Records)>() + self.objects.len() * size_of::<ObjectId>());
        self.detector.bytes() + maps + self.log.bytes()
    }

    /// Something was released to the object.
    fn use_object(&mut self, object: ObjectId, key: impl Fn(ObjectId) -> ObjectKey) {
        if self.objects.get(object).is_none() {
            self.objects.set(object, Some(name_of(key(object))));
            self.log.push(self.told, Was::Object(object, None));
        }
    }

    /// The thread exists, and is over or not; or it does not any more.
    fn set_thread(&mut self, thread: ThreadId, over: Option<bool>) {
        let was = self.threads.set(thread, over);
        self.log.push(self.told, Was::Thread(thread, was));
    }

    /// The block was freed by another thread than its own, or its address is used again.
    fn set_handed_over(&mut self, base: u64, entry: Option<HandedOver>) {
        let was = self.handed_over.set(base, entry);
        self.log.push(self.told, Was::HandedOver(base, was));
    }

    fn read(&mut self, entry: &Entry, key: impl Fn(ObjectId) -> ObjectKey) {
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
                self.use_object(object, key);
            }
            Entry::ReleaseMore(thread, object) => {
                detector.release_more(thread, object);
                self.use_object(object, key);
            }
            Entry::Store(thread, object, bytes, ordering) => {
                detector.atomic_store(thread, object, bytes, ordering);
                self.use_object(object, key);
            }
            Entry::Update(thread, object, bytes, ordering) => {
                detector.atomic_rmw(thread, object, bytes, ordering);
                self.use_object(object, key);
            }
            Entry::Access(thread, chunk, kind, bytes) => self.access(thread, chunk, kind, bytes),
            Entry::HandedOver(by, owner, base) => {
                let time = detector.epoch(by);
                self.set_handed_over(base, Some(HandedOver { by, time, owner }));
            }
            Entry::TakenBack(base) => self.set_handed_over(base, None),
            Entry::Gone(base, size) => {
                let Reading { chunks, objects, log, told, .. } = self;
                chunks.retain(|chunk, records| {
                    let inside = (base..base + size.max(1)).contains(&chunk);
                    if inside {
                        log.push(*told, Was::Chunk(chunk, Some(records)));
                    }
                    !inside
                });
                objects.retain(|object, name| {
                    let inside = matches!(key(object), ObjectKey::InMemory { base: at, .. } if at == base);
                    if inside {
                        log.push(*told, Was::Object(object, Some(name)));
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
        let before = chunks.get(chunk);
        let mut records = before.unwrap_or_default();
        let finding = detector.find(records, &new);
        // What is new since the last mark is changed where it is; what was before that is in the log then.
        if before.is_none_or(|before| !detector.is_new(before)) {
            log.push(*told, Was::Chunk(chunk, before));
        }
        detector.remember(&mut records, &new, finding);
        chunks.set(chunk, Some(records));
    }

    /// The term of what is ordered and what is not.
    fn normal_form(&mut self) -> u128 {
        let Reading { detector, chunks, objects, threads, handed_over, told: _, log: _, room } = self;
        Known { detector, chunks, objects, threads, handed_over }.normal_form(room)
    }
}

/// A map with few keys: a sorted list.
#[derive(Clone, Debug)]
pub(super) struct SmallMap<K, V>(Vec<(K, V)>);

impl<K, V> Default for SmallMap<K, V> {
    fn default() -> Self {
        SmallMap(Vec::new())
    }
}

impl<K: Ord + Copy, V: Copy> SmallMap<K, V> {
    fn place(&self, key: K) -> Result<usize, usize> {
        self.0.binary_search_by(|(other, _)| other.cmp(&key))
    }

    pub(super) fn get(&self, key: K) -> Option<V> {
        self.place(key).ok().map(|index| self.0[index].1)
    }

    /// Sets what a key has, or takes it out. What it had before.
    fn set(&mut self, key: K, value: Option<V>) -> Option<V> {
        match (self.place(key), value) {
            (Ok(index), Some(value)) => Some(std::mem::replace(&mut self.0[index].1, value)),
            (Ok(index), None) => Some(self.0.remove(index).1),
            (Err(index), Some(value)) => {
                self.0.insert(index, (key, value));
                None
            }
            (Err(_), None) => None,
        }
    }

    fn retain(&mut self, mut stays: impl FnMut(K, V) -> bool) {
        self.0.retain(|(key, value)| stays(*key, *value));
    }

    fn len(&self) -> usize {
        self.0.len()
    }

    /// All, by key.
    pub(super) fn iter(&self) -> impl Iterator<Item = (K, V)> {
        self.0.iter().copied()
    }
}
