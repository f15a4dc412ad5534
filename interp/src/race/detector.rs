//! The clocks.
//!
//! One file: what is about accesses, places and actions has files of its own; this is what they all change.
mod accesses;
mod action;
mod gathered;
mod mixed;
mod places;
mod sharing;
mod time;

pub(crate) use gathered::Gathered;
use mixed::Mixed;

use super::clock::{ClockId, Clocks};
use super::journal::{Entry, Journal};
use super::sequence::{Sequences, SequencesId};
use super::shadow::Shadow;
use super::{RaceLocation, RaceModel};
use crate::memory::StackId;
use crate::undo::trail::Trail;
use frontend::ir::Ordering;
use por::{ObjectId, ThreadId};
use rustc_hash::FxHashSet;

/// The clocks of threads, synchronisation objects and atomic locations.
///
/// Every method that publishes a thread's clock (release, fork, …) also advances it, so what the thread does afterwards
/// is not covered by what it published.
#[derive(Clone, Debug)]
pub struct Detector {
    pub(super) model: RaceModel,
    pub(super) clocks: Clocks,
    pub(super) sequences: Sequences,
    pub(super) shadow: Shadow,
    pub(super) threads: Vec<ThreadClock>,
    /// By object: the clock of each byte of a granule; a synchronisation object uses the first only.
    published: Vec<Published>,
    /// A stretch of one thread's run without a release; memory remembers which bytes it has checked in the current one.
    /// No two stretches have the same number, not even in different executions, so what memory remembers need not be
    /// undone.
    segment: u64,
    /// The thread that runs.
    current: ThreadId,
    /// Whether a second thread has existed.
    pub(super) checking: bool,
    /// Whether all threads but the one that runs are over, and it knows all that they did.
    alone: bool,
    /// What the actions contribute, if that is wanted.
    pub(super) journal: Journal,
    muted: FxHashSet<RaceLocation>,
    /// Places that race are collected here instead of being reported; never undone. All are of objects of one kind and
    /// origin, and the second access is at that place: others may only race because accesses to these order nothing
    /// yet.
    collected: Option<(Vec<RaceLocation>, StackId)>,
    /// Plain accesses that were checked, never undone.
    plain_accesses: u64,
    mixed: Mixed,
    sharing: sharing::Sharing,
    action: action::Action,
    passed: time::Passed,
    marks: Vec<Mark>,
    /// Older states of `threads`, of `published`.
    thread_log: Trail<(ThreadId, ThreadClock)>,
    published_log: Trail<(ObjectId, Published)>,
}

/// What a thread knows of others, and what it releases.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ThreadClock {
    /// The thread's own component. (The one in `clock` may be smaller.)
    epoch: u32,
    /// The value of `epoch` when the thread began. (Another thread may have had the number before.)
    born: u32,
    /// What the thread knows of the others.
    pub(super) clock: ClockId,
    /// What it knew when it began.
    first: ClockId,
    /// What an acquire fence would add: released to locations that it has read relaxed.
    pub(super) readable: ClockId,
    /// What its relaxed stores release: its clock at its last release fence.
    pub(super) fenced: ClockId,
    /// How often the thread has looked at the clock.
    looks: u32,
    /// How often time has passed for it, and for others that had its number before.
    passed: u32,
    /// The mark since which the state before is in the log.
    stamp: u32,
}

/// What is released to the bytes of an object.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Published {
    clocks: [ClockId; 8],
    /// The release sequences that a store may carry on.
    sequences: [SequencesId; 8],
    stamp: u32,
}

impl Published {
    /// By byte.
    pub(super) fn bytes(&self) -> impl Iterator<Item = (ClockId, SequencesId)> {
        self.clocks.into_iter().zip(self.sequences)
    }
}

#[derive(Clone, Copy, Debug)]
struct Mark {
    clocks: usize,
    sequences: usize,
    shadow: usize,
    threads: usize,
    current: ThreadId,
    checking: bool,
    alone: bool,
}

impl Detector {
    /// No threads.
    pub fn new(model: RaceModel) -> Self {
        Detector {
            model,
            clocks: Clocks::default(),
            sequences: Sequences::default(),
            shadow: Shadow::default(),
            threads: Vec::new(),
            published: Vec::new(),
            segment: 1,
            current: ThreadId(0),
            checking: false,
            alone: false,
            journal: Journal::default(),
            muted: FxHashSet::default(),
            collected: None,
            plain_accesses: 0,
            mixed: Mixed::default(),
            sharing: sharing::Sharing::default(),
            action: action::Action::default(),
            passed: time::Passed::default(),
            marks: Vec::new(),
            thread_log: Trail::default(),
            published_log: Trail::default(),
        }
    }

    /// The model in use.
    pub fn model(&self) -> RaceModel {
        self.model
    }

    /// The first thread exists.
    pub fn start(&mut self, first: ThreadId) {
        self.change(first).epoch = 1;
        self.current = first;
    }

    /// `parent` creates `child`: what it did so far happens before everything that the child does.
    pub fn fork(&mut self, parent: ThreadId, child: ThreadId) {
        (self.checking, self.alone) = (true, false);
        self.journal.note(Entry::Fork(parent, child));
        let known = self.publish(parent);
        // More than 1 if another thread had the number, of which the parent knows that it is over.
        let epoch = self.clocks.component(known, child) + 1;
        let passed = self.change(child).passed;
        *self.change(child) = ThreadClock {
            epoch,
            passed,
            born: epoch,
            clock: known,
            first: known,
            stamp: self.depth(),
            ..ThreadClock::default()
        };
    }

    /// The new thread knows no more than another one when that one began. (No journal is kept.)
    pub(crate) fn know_as_little_as(&mut self, child: ThreadId, other: ThreadId) {
        let first = self.threads[other.index()].first;
        let changed = self.change(child);
        (changed.clock, changed.first) = (first, first);
    }

    /// Everything that `ended` did happens before what `thread` does from now on.
    pub fn join(&mut self, thread: ThreadId, ended: ThreadId) {
        self.journal.note(Entry::Join(thread, ended));
        self.note_ordered();
        let ThreadClock { epoch, clock, .. } = self.threads[ended.index()];
        self.change(ended).epoch += 1;
        self.segment += 1;
        let known = self.threads[thread.index()].clock;
        self.change(thread).clock = self.clocks.join_and_raise(known, clock, ended, epoch);
    }

    /// From now on `thread` runs. To be called whenever another thread starts to run, before its first access.
    pub fn enter(&mut self, thread: ThreadId) {
        debug_assert!(self.threads.get(thread.index()).is_some_and(|t| t.epoch > 0), "{thread:?} was not started");
        self.segment += 1;
        self.current = thread;
    }

    /// The thread learns what was released to the object (lock, wake-up, …).
    pub fn acquire(&mut self, thread: ThreadId, object: ObjectId) {
        if self.checking {
            self.journal.note(Entry::Acquire(thread, object));
            self.note_ordered();
            let known = self.published(object).clocks[0];
            self.learn(thread, known);
        }
    }

    /// Whether the thread knows all that was released to the object.
    pub(crate) fn has_learned(&mut self, thread: ThreadId, object: ObjectId) -> bool {
        let Published { clocks, .. } = self.published(object);
        let known = self.threads[thread.index()].clock;
        !self.checking
            || clocks.into_iter().all(|clock| clock == ClockId::NONE || self.clocks.join(known, clock) == known)
    }

    /// Whether anything was released to the object.
    pub(crate) fn is_released(&mut self, object: ObjectId) -> bool {
        self.published(object).clocks.into_iter().any(|clock| clock != ClockId::NONE)
    }

    /// The object's clock becomes the thread's (unlock of a mutex: the thread that locks it next knows it all).
    pub fn release(&mut self, thread: ThreadId, object: ObjectId) {
        if self.checking {
            self.journal.note(Entry::Release(thread, object));
            let known = self.publish(thread);
            self.change_published(object).clocks[0] = known;
        }
    }

    /// The object's clock grows by the thread's (semaphores, barriers, reader locks: several releases meet).
    pub fn release_more(&mut self, thread: ThreadId, object: ObjectId) {
        if self.checking {
            self.journal.note(Entry::ReleaseMore(thread, object));
            let known = self.publish(thread);
            let before = self.published(object).clocks[0];
            self.change_published(object).clocks[0] = self.clocks.join(before, known);
        }
    }

    /// The clocks of the first objects become the thread's, those of the others grow by it.
    pub(crate) fn release_all(
        &mut self,
        thread: ThreadId,
        objects: impl Iterator<Item = ObjectId>,
        others: impl Iterator<Item = ObjectId>,
    ) {
        if self.checking {
            let known = self.publish(thread);
            for object in objects {
                self.journal.note(Entry::Release(thread, object));
                self.change_published(object).clocks[0] = known;
            }
            for object in others {
                self.journal.note(Entry::ReleaseMore(thread, object));
                let before = self.published(object).clocks[0];
                self.change_published(object).clocks[0] = self.clocks.join(before, known);
            }
        }
    }

    /// An atomic read of the bytes in `bytes` (a mask) of a granule. To be called *before* the access itself is
    /// checked: a read that synchronises with a store comes after everything before that store. Also for the read of an
    /// exchange or update.
    pub fn atomic_load(&mut self, thread: ThreadId, granule: ObjectId, bytes: u8, ordering: Ordering) {
        if self.checking {
            self.journal.note(Entry::Load(thread, granule, bytes, ordering));
            if acquires(self.effective(ordering)) {
                self.note_ordered();
            }
            self.read(thread, granule, bytes, self.effective(ordering));
        }
    }

    /// An atomic store. To be called *after* the access itself: it is among what the store releases.
    pub fn atomic_store(&mut self, thread: ThreadId, granule: ObjectId, bytes: u8, ordering: Ordering) {
        if self.checking {
            self.journal.note(Entry::Store(thread, granule, bytes, ordering));
            let ordering = self.effective(ordering);
            let released = self.released(thread, ordering);
            if let Some((clock, list)) = self.begin_sequence(thread, released, ordering) {
                let published = self.change_published(granule);
                for byte in set_bits(bytes) {
                    (published.clocks[byte], published.sequences[byte]) = (clock, list);
                }
                return;
            }
            let Published { mut clocks, mut sequences, .. } = self.published(granule);
            // Mostly all bytes are alike.
            let mut last: Option<(SequencesId, ClockId, SequencesId)> = None;
            for byte in set_bits(bytes) {
                let before = sequences[byte];
                let same = last.filter(|(list, ..)| *list == before);
                let (_, clock, list) = *last.insert(same.unwrap_or_else(|| {
                    let (clock, list) = self.carry_on(thread, before, released);
                    (before, clock, list)
                }));
                (clocks[byte], sequences[byte]) = (clock, list);
            }
            let published = self.change_published(granule);
            (published.clocks, published.sequences) = (clocks, sequences);
        }
    }

    /// What a store leaves at a byte, and which release sequences go on there, if that does not depend on what was
    /// there.
    #[inline]
    fn begin_sequence(
        &mut self,
        thread: ThreadId,
        released: ClockId,
        ordering: Ordering,
    ) -> Option<(ClockId, SequencesId)> {
        match self.model {
            RaceModel::C11 if releases(ordering) => Some((released, self.sequences.only(thread, released))),
            RaceModel::C11 => None,
            RaceModel::C20 | RaceModel::Sc => Some((released, SequencesId::NONE)),
        }
    }

    /// The same of a store that releases nothing, at a byte with these release sequences: it ends those of others.
    fn carry_on(&mut self, thread: ThreadId, before: SequencesId, released: ClockId) -> (ClockId, SequencesId) {
        let own = self.heads(before).find(|(head, _)| *head == thread).map_or(ClockId::NONE, |(_, own)| own);
        (self.clocks.join(own, released), self.sequences.only(thread, own))
    }

    /// The threads that head these release sequences and can still carry it on.
    pub(super) fn heads(&self, list: SequencesId) -> impl Iterator<Item = (ThreadId, ClockId)> {
        let all = self.sequences.heads(list);
        all.filter(|(head, clock)| self.clocks.component(*clock, *head) >= self.threads[head.index()].born)
    }

    /// The write of an atomic update or of a successful exchange, *after* the access itself; the read comes before
    /// it, through [`Detector::atomic_load`].
    pub fn atomic_rmw(&mut self, thread: ThreadId, granule: ObjectId, bytes: u8, ordering: Ordering) {
        if self.checking {
            self.journal.note(Entry::Update(thread, granule, bytes, ordering));
            let ordering = self.effective(ordering);
            let released = self.released(thread, ordering);
            let Published { mut clocks, mut sequences, .. } = self.published(granule);
            // Mostly all bytes have the same clock.
            let mut last = (ClockId::NONE, released);
            for byte in set_bits(bytes) {
                if clocks[byte] != last.0 {
                    last = (clocks[byte], self.clocks.join(clocks[byte], released));
                }
                clocks[byte] = last.1;
            }
            if self.model == RaceModel::C11 && releases(ordering) {
                let mut last: Option<(SequencesId, SequencesId)> = None;
                for byte in set_bits(bytes) {
                    let before = sequences[byte];
                    let same = last.filter(|(list, _)| *list == before);
                    let after = same.unwrap_or_else(|| (before, self.sequences.with(before, thread, released)));
                    sequences[byte] = last.insert(after).1;
                }
            }
            let published = self.change_published(granule);
            (published.clocks, published.sequences) = (clocks, sequences);
        }
    }

    /// A fence (not a compiler-only one).
    pub fn fence(&mut self, thread: ThreadId, ordering: Ordering) {
        if !self.checking {
            return;
        }
        self.journal.note(Entry::Fence(thread, ordering));
        if acquires(ordering) {
            let known = self.threads[thread.index()].readable;
            self.learn(thread, known);
        }
        if releases(ordering) {
            let known = self.publish(thread);
            self.change(thread).fenced = known;
        }
    }

    /// The thread's own clock.
    pub(crate) fn epoch(&self, thread: ThreadId) -> u32 {
        self.threads[thread.index()].epoch
    }

    /// Whether what another thread did at that time happens before what the thread does now.
    pub(crate) fn knows_of(&self, thread: ThreadId, other: ThreadId, clock: u32) -> bool {
        self.threads.get(thread.index()).is_some_and(|t| self.clocks.component(t.clock, other) >= clock)
    }

    /// Remembers the state.
    pub(crate) fn mark(&mut self) {
        self.marks.push(Mark {
            clocks: self.clocks.len(),
            sequences: self.sequences.len(),
            shadow: self.shadow.mark(),
            threads: self.threads.len(),
            current: self.current,
            checking: self.checking,
            alone: self.alone,
        });
        if let Some(current) = &mut self.journal.current {
            current.mark();
        }
    }

    /// Goes back to the last mark and forgets it.
    pub(crate) fn undo(&mut self) {
        let depth = self.depth();
        let mark = self.marks.pop().expect("a mark for each undo");
        self.thread_log.take_back(depth, |(thread, old)| self.threads[thread.index()] = *old);
        self.published_log.take_back(depth, |(object, old)| self.published[object.index()] = *old);
        self.threads.truncate(mark.threads);
        self.clocks.truncate(mark.clocks);
        self.sequences.truncate(mark.sequences);
        self.shadow.cut(mark.shadow, self.marks.last().map(|m| m.shadow));
        self.segment += 1;
        self.current = mark.current;
        (self.checking, self.alone) = (mark.checking, mark.alone);
        if let Some(current) = &mut self.journal.current {
            current.undo();
        }
    }

    /// Plain accesses checked so far, in all executions; not each repetition within one stretch of a thread's run.
    pub(crate) fn plain_accesses(&self) -> u64 {
        self.plain_accesses
    }

    /// Called for each access that is checked; counts the plain ones.
    #[inline]
    pub(crate) fn note_access(&mut self, plain: bool) {
        self.plain_accesses += u64::from(plain);
        self.note_ordered();
    }

    /// Whether accesses need to be checked at all.
    #[inline]
    pub(crate) fn checking(&self) -> bool {
        self.checking
    }

    /// All threads but the one that runs are over, and it knows all that they did. So nothing that it does races with
    /// that, and all that a thread does that it may yet create comes after it: what it accesses until then need not be
    /// remembered.
    pub(crate) fn be_alone(&mut self) {
        self.alone = true;
    }

    /// What the thread that runs accesses is looked at again, whoever may race with that.
    pub(crate) fn look_again(&mut self) {
        self.alone = false;
    }

    /// Whether no access by the thread that runs can race with anything, since all other threads are over. (While no
    /// second thread has existed none can, either: that is [`Detector::checking`].)
    #[inline]
    pub(crate) fn is_alone(&self) -> bool {
        self.alone
    }

    /// The current stretch of one thread's run.
    #[inline]
    pub(crate) fn segment(&self) -> u64 {
        self.segment
    }

    /// About how many bytes the detector takes, without its journal.
    pub(super) fn bytes(&self) -> usize {
        let lists = self.thread_log.bytes() + self.published_log.bytes();
        let published = self.published.capacity() * size_of::<Published>();
        self.clocks.len() * size_of::<u32>() + self.sequences.bytes() + self.shadow.bytes() + published + lists
    }

    /// How many records the detector holds, abandoned ones included.
    #[cfg(test)]
    pub(crate) fn remembered(&self) -> usize {
        self.shadow.len()
    }

    /// What is read from the bytes reaches the thread, now or by a later acquire fence.
    fn read(&mut self, thread: ThreadId, granule: ObjectId, bytes: u8, ordering: Ordering) {
        let clocks = self.published(granule).clocks;
        // Mostly all bytes have the same clock.
        let mut last = ClockId::NONE;
        for byte in set_bits(bytes) {
            if clocks[byte] == last {
                continue;
            }
            last = clocks[byte];
            if acquires(ordering) {
                self.learn(thread, clocks[byte]);
            } else {
                let before = self.threads[thread.index()].readable;
                let after = self.clocks.join(before, clocks[byte]);
                if after != before {
                    self.change(thread).readable = after;
                }
            }
        }
    }

    /// What a store of that order releases.
    fn released(&mut self, thread: ThreadId, ordering: Ordering) -> ClockId {
        if releases(ordering) { self.publish(thread) } else { self.threads[thread.index()].fenced }
    }

    /// The thread's clock as others may learn it; the thread advances.
    fn publish(&mut self, thread: ThreadId) -> ClockId {
        self.note_released();
        let state = self.threads[thread.index()];
        let known = self.clocks.raise(state.clock, thread, state.epoch);
        let changed = self.change(thread);
        changed.clock = known;
        changed.epoch += 1;
        self.segment += 1;
        known
    }

    fn learn(&mut self, thread: ThreadId, known: ClockId) {
        let before = self.threads[thread.index()].clock;
        let after = self.clocks.join(before, known);
        if after != before {
            self.change(thread).clock = after;
        }
    }

    fn effective(&self, ordering: Ordering) -> Ordering {
        match self.model {
            RaceModel::C11 | RaceModel::C20 => ordering,
            RaceModel::Sc => Ordering::SeqCst,
        }
    }

    fn depth(&self) -> u32 {
        self.marks.len() as u32
    }

    /// A thread's state, to be changed.
    fn change(&mut self, thread: ThreadId) -> &mut ThreadClock {
        let depth = self.depth();
        if self.threads.len() <= thread.index() {
            self.threads.resize(thread.index() + 1, ThreadClock { stamp: depth, ..ThreadClock::default() });
        }
        let state = &mut self.threads[thread.index()];
        if state.stamp < depth {
            self.thread_log.push(depth, (thread, *state));
            state.stamp = depth;
        }
        state
    }

    /// What was released to the object, if anything ever was.
    pub(super) fn all_published(&self, object: ObjectId) -> Option<&Published> {
        self.published.get(object.index())
    }

    fn published(&self, object: ObjectId) -> Published {
        self.all_published(object).copied().unwrap_or_default()
    }

    fn change_published(&mut self, object: ObjectId) -> &mut Published {
        let depth = self.depth();
        if self.published.len() <= object.index() {
            self.published.resize(object.index() + 1, Published::default());
        }
        let published = &mut self.published[object.index()];
        if published.stamp < depth {
            self.published_log.push(depth, (object, *published));
            published.stamp = depth;
        }
        published
    }
}

fn acquires(ordering: Ordering) -> bool {
    matches!(ordering, Ordering::Acquire | Ordering::AcqRel | Ordering::SeqCst)
}

fn releases(ordering: Ordering) -> bool {
    matches!(ordering, Ordering::Release | Ordering::AcqRel | Ordering::SeqCst)
}

/// The positions of the set bits.
fn set_bits(mask: u8) -> impl Iterator<Item = usize> {
    (0..8).filter(move |i| mask >> i & 1 != 0)
}
