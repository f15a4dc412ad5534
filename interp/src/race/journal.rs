//! What each action contributes to happens-before, so that the order that any set of events leaves behind can be told.
//!
//! Actions that depend on one another are mostly ordered by happens-before too. Where they are not (a relaxed load sees
//! a relaxed store, a trylock finds the mutex locked), two histories may lead to the same memory, and in one of them an
//! access made earlier still races with what comes while in the other it does not. There the fingerprint of a state has
//! to hold what is ordered. So it does where a thread frees blocks of another one, whose addresses come back once that
//! one knows of it (see [`crate::memory`]), whether accesses are ordered or not. A clock is no difference of anything,
//! so this is no sum over events: a second detector goes through the journals of the events, and its state is brought
//! into a normal form, see [`super::reading`].
use super::Detector;
use super::reading::Reading;
use super::shadow::AccessKind;
use crate::memory::Origin;
use frontend::ir::Ordering;
use por::{ObjectId, ThreadId};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// Something that concerns the order of accesses.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) enum Entry {
    /// A thread creates another one.
    Fork(ThreadId, ThreadId),
    /// A thread waits for the end of another one.
    Join(ThreadId, ThreadId),
    /// A thread ends.
    End(ThreadId),
    Acquire(ThreadId, ObjectId),
    Release(ThreadId, ObjectId),
    ReleaseMore(ThreadId, ObjectId),
    Load(ThreadId, ObjectId, u8, Ordering),
    Store(ThreadId, ObjectId, u8, Ordering),
    Update(ThreadId, ObjectId, u8, Ordering),
    Fence(ThreadId, Ordering),
    /// An access of bytes of the chunk at that address.
    Access(ThreadId, u64, AccessKind, u64),
    /// The life of the object at these addresses ends.
    Gone(u64, u64),
    /// The first thread has freed the block of the second one that begins there.
    HandedOver(ThreadId, ThreadId, u64),
    /// The thread whose block it is has used its address again.
    TakenBack(u64),
}

/// A thread's accesses in one stretch, between two entries of other kinds.
#[derive(Clone, Debug)]
struct Stretch {
    thread: ThreadId,
    /// Chunk, kind and bytes, since the object at that address came to be. They are put together at the end.
    accesses: Vec<(u64, AccessKind, u64)>,
    /// Objects that are gone: where they began, how many bytes they had at most.
    gone: FxHashMap<u64, u64>,
}

/// Among how many of the last accesses of a stretch one like a new one is looked for.
const LATEST: usize = 8;

impl Default for Stretch {
    fn default() -> Self {
        Stretch { thread: ThreadId(0), accesses: Vec::new(), gone: FxHashMap::default() }
    }
}

/// The journal of an action that is over.
#[derive(Clone, Default, Debug, Serialize, Deserialize)]
pub(crate) struct Page {
    pub(super) entries: Box<[Entry]>,
    /// Those of the first local steps of a thread that the action created.
    pub(super) child: Range<usize>,
    /// The first of those of the thread's local steps after the action.
    pub(super) local: usize,
}

/// The journal of the current action, and those of earlier ones that were kept.
#[derive(Clone, Debug, Default)]
pub(super) struct Journal {
    on: bool,
    /// Whether accesses are among it.
    accesses: bool,
    stretch: Stretch,
    pub(super) entries: Vec<Entry>,
    child: Range<usize>,
    local: usize,
    pub(super) pages: Vec<Page>,
    /// Numbers of pages that can be given again.
    free: Vec<u32>,
    /// Bytes of the entries of all pages.
    bytes: usize,
    /// What has been read of them, by thread.
    pub(super) readings: Vec<Reading>,
    /// What has been read of all actions that led to the current state, if that is wanted.
    pub(super) current: Option<Box<Reading>>,
}

impl Journal {
    /// Notes something that is no access.
    #[inline]
    pub(super) fn note(&mut self, entry: Entry) {
        if self.on {
            self.end_stretch();
            self.entries.push(entry);
        }
    }

    /// Notes an access.
    pub(super) fn note_access(&mut self, thread: ThreadId, chunk: u64, kind: AccessKind, bytes: u64) {
        if self.stretch.thread != thread {
            self.end_stretch();
            self.stretch.thread = thread;
        }
        let latest = self.stretch.accesses.iter_mut().rev().take(LATEST);
        match latest.into_iter().find(|(of, mode, _)| *of == chunk && *mode == kind) {
            Some((.., known)) => *known |= bytes,
            None => self.stretch.accesses.push((chunk, kind, bytes)),
        }
    }

    /// Notes that an object is gone.
    pub(super) fn note_gone(&mut self, base: u64, size: u64) {
        self.stretch.accesses.retain(|(chunk, ..)| !(base..base + size).contains(chunk));
        let known = self.stretch.gone.entry(base).or_default();
        *known = size.max(*known);
    }

    pub(super) fn end_stretch(&mut self) {
        let Stretch { thread, accesses, gone } = &mut self.stretch;
        if !gone.is_empty() {
            let start = self.entries.len();
            self.entries.extend(gone.drain().map(|(base, size)| Entry::Gone(base, size)));
            self.entries[start..].sort_unstable_by_key(|entry| match entry {
                Entry::Gone(base, _) => *base,
                _ => 0,
            });
        }
        // Writes last: they make reads of the same bytes superfluous.
        accesses.sort_unstable_by_key(|(chunk, kind, _)| (kind.writes(), *chunk, *kind));
        accesses.dedup_by(|(chunk, kind, bytes), (of, mode, known)| {
            let same = chunk == of && kind == mode;
            *known |= if same { *bytes } else { 0 };
            same
        });
        self.entries.extend(accesses.drain(..).map(|(chunk, kind, bytes)| Entry::Access(*thread, chunk, kind, bytes)));
    }
}

impl Detector {
    /// From now on a journal is kept, or no longer; of accesses or not.
    pub(crate) fn keep_journal(&mut self, on: bool, accesses: bool) {
        (self.journal.on, self.journal.accesses) = (on, on && accesses);
    }

    /// Whether one of accesses is kept.
    pub(crate) fn keeps_journal(&self) -> bool {
        self.journal.accesses
    }

    /// An action begins.
    pub(crate) fn begin_page(&mut self) {
        let journal = &mut self.journal;
        if journal.on {
            journal.stretch.accesses.clear();
            journal.stretch.gone.clear();
            journal.entries.clear();
            journal.child = 0..0;
            journal.local = usize::MAX;
        }
    }

    /// The thread that the action created makes its first steps, in the middle of the action or not.
    pub(crate) fn begin_child(&mut self) -> bool {
        if self.journal.on {
            self.journal.end_stretch();
            self.journal.child = self.journal.entries.len()..usize::MAX;
        }
        self.leave_action()
    }

    /// It stands before its first operation.
    pub(crate) fn end_child(&mut self, in_action: bool) {
        self.return_to_action(in_action);
        if self.journal.on {
            self.journal.end_stretch();
            self.journal.child.end = self.journal.entries.len();
        }
    }

    /// The visible action is over; local steps follow.
    pub(crate) fn begin_local(&mut self) {
        self.leave_action();
        if self.journal.on {
            self.journal.end_stretch();
            self.journal.local = self.journal.entries.len();
        }
    }

    /// Keeps the journal of the action that was executed last; where it is to be found.
    pub(crate) fn keep_page(&mut self) -> Option<u32> {
        let journal = &mut self.journal;
        if !journal.on {
            return None;
        }
        journal.end_stretch();
        let end = journal.entries.len();
        let Range { start, end: child_end } = journal.child;
        let page = Page {
            entries: journal.entries[..].into(),
            child: start..child_end.min(end),
            local: journal.local.min(end),
        };
        journal.bytes += size_of_val(&page.entries[..]);
        if let Some(number) = journal.free.pop() {
            journal.pages[number as usize] = page;
            return Some(number);
        }
        let number = journal.pages.len();
        journal.pages.push(page);
        Some(u32::try_from(number).expect("fewer than 2^32 events"))
    }

    /// Forgets all pages but these, and what was read of any.
    pub(crate) fn retain_pages(&mut self, pages: &[u32]) {
        let journal = &mut self.journal;
        journal.readings.clear();
        let mut kept = vec![false; journal.pages.len()];
        for page in pages {
            kept[*page as usize] = true;
        }
        journal.free.clear();
        journal.bytes = 0;
        for (number, page) in journal.pages.iter_mut().enumerate() {
            if !kept[number] {
                *page = Page::default();
                journal.free.push(number as u32);
            }
            journal.bytes += size_of_val(&page.entries[..]);
        }
    }

    /// The pages, and which of them are free.
    pub(super) fn pages(&self) -> (&[Page], &[u32]) {
        (&self.journal.pages, &self.journal.free)
    }

    /// Takes over pages of another machine.
    pub(super) fn set_pages(&mut self, pages: Vec<Page>, free: Vec<u32>) {
        let journal = &mut self.journal;
        journal.bytes = pages.iter().map(|page| size_of_val(&page.entries[..])).sum();
        (journal.pages, journal.free) = (pages, free);
    }

    /// About how many bytes the pages take, and what was read of them.
    pub(crate) fn journal_bytes(&self) -> usize {
        let Journal { pages, bytes, readings, .. } = &self.journal;
        pages.capacity() * size_of::<Page>() + bytes + readings.iter().map(Reading::bytes).sum::<usize>()
    }

    /// An access to bytes of the chunk at that address was remembered.
    #[inline]
    pub(crate) fn journal_access(&mut self, origin: &Origin, write: bool, chunk: u64, bytes: u64) {
        if self.journal.accesses {
            self.journal.note_access(origin.thread, chunk, AccessKind::new(origin.mode, write), bytes);
        }
    }

    /// The life of an object ends for good.
    pub(crate) fn journal_gone(&mut self, base: u64, size: u64) {
        if self.journal.on {
            self.journal.note_gone(base, size);
        }
    }

    /// A thread has freed the block of another one that begins there.
    pub(crate) fn journal_handed_over(&mut self, by: ThreadId, owner: ThreadId, base: u64) {
        self.journal.note(Entry::HandedOver(by, owner, base));
    }

    /// The thread whose block that was has used its address again.
    pub(crate) fn journal_taken_back(&mut self, base: u64) {
        self.journal.note(Entry::TakenBack(base));
    }

    /// A thread ends.
    pub(crate) fn end(&mut self, thread: ThreadId) {
        if self.checking {
            self.journal.note(Entry::End(thread));
        }
    }
}
