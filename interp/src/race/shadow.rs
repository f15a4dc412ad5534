//! The accesses that each chunk of memory remembers.
//!
//! A chunk holds a [`Span`] of records in one arena. A span made since the last mark is changed in place; an older one
//! is copied first, so that going back only has to restore the chunk's span and cut the arena.
use super::RaceAccess;
use crate::memory::{Mode, Origin, StackId};
use por::ThreadId;

/// One record per thread, kind and byte at most, and usually one or two in all.
const FEW: &str = "fewer than 2^15 accesses to remember per chunk";

/// Where a chunk's records are.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Span {
    start: u32,
    len: u16,
    /// Room, a power of two; 0 if there never was a record.
    room: u16,
}

/// A remembered access.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Record {
    /// Bytes of the chunk.
    pub(super) bytes: u64,
    thread: u32,
    /// The thread's own clock at the access.
    pub(super) clock: u32,
    event: u32,
    stack: StackId,
    kind: AccessKind,
}

/// What an access is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum AccessKind {
    PlainWrite,
    AtomicWrite,
    PlainRead,
    AtomicRead,
}

impl AccessKind {
    pub(super) fn new(mode: Mode, write: bool) -> Self {
        match (mode, write) {
            (Mode::Plain, true) => AccessKind::PlainWrite,
            (Mode::Atomic, true) => AccessKind::AtomicWrite,
            (Mode::Plain, false) => AccessKind::PlainRead,
            (Mode::Atomic, false) => AccessKind::AtomicRead,
        }
    }

    fn writes(self) -> bool {
        matches!(self, AccessKind::PlainWrite | AccessKind::AtomicWrite)
    }

    fn plain(self) -> bool {
        matches!(self, AccessKind::PlainWrite | AccessKind::PlainRead)
    }

    /// Whether two unordered accesses of these kinds are a race.
    fn conflicts(self, other: AccessKind) -> bool {
        (self.writes() || other.writes()) && (self.plain() || other.plain())
    }

    /// Whether everything that conflicts with `other` conflicts with `self` too.
    fn replaces(self, other: AccessKind) -> bool {
        match self {
            AccessKind::PlainWrite => true,
            AccessKind::AtomicWrite => !other.plain(),
            AccessKind::PlainRead => !other.writes(),
            AccessKind::AtomicRead => other == AccessKind::AtomicRead,
        }
    }
}

impl Record {
    pub(super) fn new(origin: &Origin, kind: AccessKind, clock: u32, bytes: u64) -> Self {
        Record { bytes, thread: origin.thread.0, clock, event: origin.event, stack: origin.stack, kind }
    }

    pub(super) fn thread(&self) -> ThreadId {
        ThreadId(self.thread)
    }

    /// The access, for a report.
    pub(super) fn access(&self) -> RaceAccess {
        RaceAccess {
            thread: self.thread(),
            event: self.event,
            stack: self.stack,
            write: self.kind.writes(),
            mode: if self.kind.plain() { Mode::Plain } else { Mode::Atomic },
        }
    }

    /// Whether the two are on common bytes and of kinds that conflict.
    pub(super) fn conflicts(&self, other: &Record) -> bool {
        self.bytes & other.bytes != 0 && self.kind.conflicts(other.kind)
    }

    /// Whether the two differ in nothing but their bytes.
    fn same_access(&self, other: &Record) -> bool {
        Record { bytes: 0, ..*self } == Record { bytes: 0, ..*other }
    }
}

/// The arena.
#[derive(Clone, Debug, Default)]
pub(super) struct Shadow {
    records: Vec<Record>,
    /// Spans from here on were made since the last mark.
    base: usize,
    /// Starts of abandoned spans made since the last mark, by the logarithm of their room.
    free: [Vec<u32>; 16],
}

impl Shadow {
    /// How much there is; to go back to with [`Shadow::cut`].
    pub(super) fn mark(&mut self) -> usize {
        self.base = self.records.len();
        self.free.iter_mut().for_each(Vec::clear);
        self.base
    }

    /// Forgets everything made since the mark that returned `len`; `base` is what the mark before that returned.
    pub(super) fn cut(&mut self, len: usize, base: usize) {
        self.records.truncate(len);
        self.base = base;
        self.free.iter_mut().for_each(Vec::clear);
    }

    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        self.records.len()
    }

    pub(super) fn records(&self, span: Span) -> &[Record] {
        let start = span.start as usize;
        &self.records[start..start + usize::from(span.len)]
    }

    /// Adds a record; `ordered(old)` says whether an older one happens before it.
    pub(super) fn add(&mut self, span: &mut Span, new: Record, ordered: impl Fn(&Record) -> bool) {
        self.make_ours(span);
        let start = span.start as usize;
        let mut kept = 0;
        let mut merged = false;
        for i in 0..usize::from(span.len) {
            let mut old = self.records[start + i];
            if old.same_access(&new) {
                old.bytes |= new.bytes;
                merged = true;
            } else if old.bytes & new.bytes != 0 && new.kind.replaces(old.kind) && ordered(&old) {
                old.bytes &= !new.bytes;
            }
            if old.bytes != 0 {
                self.records[start + kept] = old;
                kept += 1;
            }
        }
        span.len = kept as u16;
        if !merged {
            if span.len == span.room {
                let room = span.room.checked_mul(2).expect(FEW).max(1);
                self.relocate(span, room);
            }
            self.records[span.start as usize + kept] = new;
            span.len += 1;
        }
    }

    /// The chunk is gone (with everything in it made since the last mark).
    pub(super) fn discard(&mut self, span: Span) {
        if span.room > 0 && span.start as usize >= self.base {
            self.free[span.room.trailing_zeros() as usize].push(span.start);
        }
    }

    /// Makes the span one that may be changed in place.
    fn make_ours(&mut self, span: &mut Span) {
        if span.room > 0 && (span.start as usize) < self.base {
            // One more than it holds: a record is about to be added.
            self.relocate(span, (span.len + 1).checked_next_power_of_two().expect(FEW));
        }
    }

    /// Moves the records to a span with that much room.
    fn relocate(&mut self, span: &mut Span, room: u16) {
        let old = *span;
        let filler =
            Record { bytes: 0, thread: 0, clock: 0, event: 0, stack: StackId::EMPTY, kind: AccessKind::AtomicRead };
        let start = match self.free[room.trailing_zeros() as usize].pop() {
            Some(start) => start as usize,
            None => {
                let start = self.records.len();
                self.records.resize(start + usize::from(room), filler);
                start
            }
        };
        let from = old.start as usize;
        self.records.copy_within(from..from + usize::from(old.len), start);
        *span = Span { start: u32::try_from(start).expect("fewer than 2^32 access records"), len: old.len, room };
        self.discard(old);
    }
}
