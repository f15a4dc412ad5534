//! The accesses that each chunk of memory remembers.
//!
//! The records of a chunk are a list in one arena, the newest first. To add one changes, of the older ones, only those
//! that it merges with or replaces. What was made since the last mark is changed in place. What is older is copied, and
//! so are the records in front of it, which lead to it; those behind it are shared with the state at the mark. So going
//! back only has to restore where the chunk's list begins and to cut the arena.
#[cfg(test)]
mod tests;

use super::RaceAccess;
use crate::memory::{Mode, Origin, StackId};
use por::ThreadId;
use serde::{Deserialize, Serialize};

/// Where the list of a chunk's records begins; 0 if there are none.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Records(u32);

/// A remembered access, and its place in the list.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Record {
    /// Bytes of the chunk.
    pub(super) bytes: u64,
    /// The bytes of this record and of all behind it.
    reach: u64,
    pub(super) thread: u32,
    /// The thread's own clock at the access.
    pub(super) clock: u32,
    event: u32,
    stack: StackId,
    /// The record behind it, the next older one; 0 is none.
    next: u32,
    pub(super) kind: AccessKind,
}

/// What an access is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub(crate) enum AccessKind {
    PlainWrite,
    AtomicWrite,
    SynchronisingWrite,
    PlainRead,
    AtomicRead,
    SynchronisingRead,
}

impl AccessKind {
    /// All of them, each at the index that is its number.
    pub(super) const ALL: [AccessKind; 6] = [
        AccessKind::PlainWrite,
        AccessKind::AtomicWrite,
        AccessKind::SynchronisingWrite,
        AccessKind::PlainRead,
        AccessKind::AtomicRead,
        AccessKind::SynchronisingRead,
    ];

    pub(super) fn new(mode: Mode, write: bool) -> Self {
        match (mode, write) {
            (Mode::Plain | Mode::Visible, true) => AccessKind::PlainWrite,
            (Mode::Atomic, true) => AccessKind::AtomicWrite,
            (Mode::Synchronising, true) => AccessKind::SynchronisingWrite,
            (Mode::Plain | Mode::Visible, false) => AccessKind::PlainRead,
            (Mode::Atomic, false) => AccessKind::AtomicRead,
            (Mode::Synchronising, false) => AccessKind::SynchronisingRead,
        }
    }

    pub(super) fn writes(self) -> bool {
        matches!(self, AccessKind::PlainWrite | AccessKind::AtomicWrite | AccessKind::SynchronisingWrite)
    }

    pub(super) fn mode(self) -> Mode {
        match self {
            AccessKind::PlainWrite | AccessKind::PlainRead => Mode::Plain,
            AccessKind::AtomicWrite | AccessKind::AtomicRead => Mode::Atomic,
            AccessKind::SynchronisingWrite | AccessKind::SynchronisingRead => Mode::Synchronising,
        }
    }

    /// Whether two unordered accesses of these kinds are a race.
    pub(super) fn conflicts(self, other: AccessKind) -> bool {
        (self.writes() || other.writes()) && (self.mode() == Mode::Plain || self.mode() != other.mode())
    }

    /// Whether everything that conflicts with `other` conflicts with `self` too.
    pub(super) fn replaces(self, other: AccessKind) -> bool {
        match self {
            AccessKind::PlainWrite => true,
            AccessKind::PlainRead => !other.writes(),
            AccessKind::AtomicWrite | AccessKind::SynchronisingWrite => self.mode() == other.mode(),
            AccessKind::AtomicRead | AccessKind::SynchronisingRead => self == other,
        }
    }
}

impl Record {
    pub(super) fn new(origin: &Origin, kind: AccessKind, clock: u32, bytes: u64) -> Self {
        let (thread, event, stack) = (origin.thread.0, origin.event, origin.stack);
        Record { bytes, reach: bytes, thread, clock, event, stack, next: 0, kind }
    }

    /// The access, for a report.
    fn access(&self) -> RaceAccess {
        RaceAccess {
            thread: ThreadId(self.thread),
            event: self.event,
            stack: self.stack,
            write: self.kind.writes(),
            mode: self.kind.mode(),
        }
    }

    /// Whether the two are of one thread at one time.
    fn same_time(&self, other: &Record) -> bool {
        self.thread == other.thread && self.clock == other.clock && self.event == other.event
    }

    /// Whether the two differ in nothing but their bytes.
    fn same_access(&self, other: &Record) -> bool {
        self.same_time(other) && self.stack == other.stack && self.kind == other.kind
    }

    /// Whether it happens before a new access, whose thread knows this much of the others.
    fn ordered(&self, new: &Record, known: &[u32]) -> bool {
        self.thread == new.thread || known.get(self.thread as usize).is_some_and(|&known| known >= self.clock)
    }

    /// Whether a new access of common bytes makes it superfluous there.
    fn yields(&self, new: &Record, known: &[u32]) -> bool {
        new.kind.replaces(self.kind) && self.ordered(new, known)
    }
}

/// What a new access means for the records of its chunk.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Finding {
    /// The oldest record that it races with; 0 is none.
    conflict: u32,
    /// The oldest record that it changes, which is one that it merges with or replaces at least in part; 0 is none.
    changed: u32,
    /// The record that it merges with; 0 is none.
    merged: u32,
    /// Of the records looked at, some keep bytes.
    partly: bool,
}

impl Finding {
    /// Takes note of an older record that has common bytes.
    #[inline]
    fn compare(&mut self, at: u32, old: &Record, new: &Record, known: &[u32]) {
        self.partly |= old.bytes & !new.bytes != 0;
        let own = old.thread == new.thread;
        let ordered = own || old.ordered(new, known);
        if ordered && new.kind.replaces(old.kind) {
            self.changed = at;
            return;
        }
        self.partly = true;
        if !ordered && new.kind.conflicts(old.kind) {
            self.conflict = at;
        }
    }
}

/// The arena.
#[derive(Clone, Debug)]
pub(super) struct Shadow {
    /// Entry 0 is the end of every list.
    records: Vec<Record>,
    /// Records from here on were made since the last mark.
    base: usize,
    /// The first of the records made since the last mark that are in no list any more; they are linked, 0 is none.
    free: u32,
    /// Room for the records in front of one that changes.
    front: Vec<u32>,
}

impl Default for Shadow {
    fn default() -> Self {
        let end = Record {
            bytes: 0,
            reach: 0,
            thread: u32::MAX,
            clock: 0,
            event: 0,
            stack: StackId::EMPTY,
            next: 0,
            kind: AccessKind::AtomicRead,
        };
        Shadow { records: vec![end], base: 1, free: 0, front: Vec::new() }
    }
}

impl Shadow {
    /// How much there is; to go back to with [`Shadow::cut`].
    pub(super) fn mark(&mut self) -> usize {
        self.base = self.records.len();
        self.free = 0;
        self.base
    }

    /// Forgets everything made since the mark that returned `len`; `base` is what the mark before that returned, if
    /// there is one.
    pub(super) fn cut(&mut self, len: usize, base: Option<usize>) {
        self.records.truncate(len);
        self.base = base.unwrap_or(1);
        self.free = 0;
    }

    /// The records of a list, the newest first.
    pub(super) fn list(&self, list: Records) -> impl Iterator<Item = &Record> {
        let at = |at: u32| (at != 0).then(|| &self.records[at as usize]);
        std::iter::successors(at(list.0), move |record| at(record.next))
    }

    /// Bytes of the records.
    pub(super) fn bytes(&self) -> usize {
        self.records.capacity() * size_of::<Record>()
    }

    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        self.records.len()
    }

    /// Whether the list has changed since the last mark: whatever leads to what is new is new itself, and a list that
    /// has changed is not empty.
    #[inline]
    pub(super) fn is_new(&self, list: Records) -> bool {
        list.0 as usize >= self.base
    }

    /// What an access means of which the thread knows this much of the others.
    #[inline(always)]
    pub(super) fn find(&self, list: Records, new: &Record, known: &[u32]) -> Finding {
        let mut finding = Finding { conflict: 0, changed: 0, merged: 0, partly: false };
        let records = &self.records[..];
        let mut at = list.0;
        // No other thread has run at this time: what is remembered of it is in front.
        loop {
            let old = &records[at as usize];
            if !old.same_time(new) {
                break;
            }
            if old.same_access(new) {
                finding.changed = at;
                finding.merged = at;
                finding.partly = true;
            } else if old.bytes & new.bytes == 0 {
                finding.partly = true;
            } else {
                finding.compare(at, old, new, known);
            }
            at = old.next;
        }
        loop {
            let old = loop {
                let old = &records[at as usize];
                if old.bytes & new.bytes != 0 {
                    break old;
                }
                if old.reach & new.bytes == 0 {
                    return finding;
                }
                finding.partly = true;
                at = old.next;
            };
            finding.compare(at, old, new, known);
            at = old.next;
        }
    }

    /// The access with which that one races, and the common bytes.
    #[inline]
    pub(super) fn conflict(&self, finding: Finding, new: &Record) -> Option<(RaceAccess, u64)> {
        if finding.conflict == 0 {
            return None;
        }
        let old = &self.records[finding.conflict as usize];
        Some((old.access(), old.bytes & new.bytes))
    }

    /// Adds an access to the list in which it was found to mean that; `known` is asked for at need.
    #[inline]
    pub(super) fn add<'a>(
        &mut self,
        list: &mut Records,
        new: &Record,
        finding: Finding,
        known: impl FnOnce() -> &'a [u32],
    ) {
        let Finding { changed, merged, .. } = finding;
        if changed == list.0 && merged == changed && self.is_new(*list) {
            // (Mostly, where anything changes: the thread accesses more of what it has just accessed.)
            let front = &mut self.records[merged as usize];
            front.bytes |= new.bytes;
            front.reach |= new.bytes;
            return;
        }
        if finding.changed != 0 {
            if finding.partly {
                self.change(list, new, finding, known());
            } else {
                // None of them is left.
                let behind = self.records[finding.changed as usize].next;
                self.release_front(list.0, behind);
                list.0 = behind;
            }
        }
        if finding.merged == 0 {
            list.0 = self.link(new, list.0);
        }
    }

    /// A list of its own with the same accesses of these bytes.
    pub(super) fn copy(&mut self, list: Records, bytes: u64) -> Records {
        let records: Vec<Record> = self.list(list).filter(|record| record.bytes & bytes != 0).copied().collect();
        let copied = records
            .into_iter()
            .rev()
            .fold(0, |behind, record| self.link(&Record { bytes: record.bytes & bytes, ..record }, behind));
        Records(copied)
    }

    /// The chunk is gone (with everything in it made since the last mark).
    pub(super) fn discard(&mut self, list: Records) {
        self.release_front(list.0, 0);
    }

    /// The records of a list from one on, up to another, are in no list any more.
    #[inline]
    fn release_front(&mut self, mut at: u32, end: u32) {
        // What is older than the mark is behind what is not.
        while at != end && at as usize >= self.base {
            let next = self.records[at as usize].next;
            self.release(at);
            at = next;
        }
    }

    /// Changes the records that a new access merges with or replaces.
    fn change(&mut self, list: &mut Records, new: &Record, finding: Finding, known: &[u32]) {
        let Finding { changed, merged, .. } = finding;
        let mut at = list.0;
        while at != changed {
            self.front.push(at);
            at = self.records[at as usize].next;
        }
        let mut behind = self.records[changed as usize].next;
        loop {
            let mut old = self.records[at as usize];
            if at == merged {
                old.bytes |= new.bytes;
            } else if old.bytes & new.bytes != 0 && old.yields(new, known) {
                old.bytes &= !new.bytes;
            }
            if (at as usize) < self.base {
                if old.bytes != 0 {
                    behind = self.link(&old, behind);
                }
            } else if old.bytes == 0 {
                self.release(at);
            } else {
                let reach = old.bytes | self.records[behind as usize].reach;
                self.records[at as usize] = Record { reach, next: behind, ..old };
                behind = at;
            }
            match self.front.pop() {
                Some(next) => at = next,
                None => break,
            }
        }
        list.0 = behind;
    }

    /// Puts a record in front of a list.
    #[inline]
    fn link(&mut self, record: &Record, behind: u32) -> u32 {
        let reach = record.bytes | self.records[behind as usize].reach;
        let record = Record { reach, next: behind, ..*record };
        let at = self.free;
        if at != 0 {
            self.free = self.records[at as usize].next;
            self.records[at as usize] = record;
            return at;
        }
        let at = u32::try_from(self.records.len()).expect("fewer than 2^32 access records");
        self.records.push(record);
        at
    }

    /// A record made since the last mark is in no list any more.
    fn release(&mut self, at: u32) {
        self.records[at as usize].next = self.free;
        self.free = at;
    }
}
