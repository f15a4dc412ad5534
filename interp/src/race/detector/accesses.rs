//! The check of an access, by the clocks of its thread.
use super::Detector;
use crate::memory::Origin;
use crate::race::RaceAccess;
use crate::race::shadow::{AccessKind, Finding, Record, Records};

impl Detector {
    /// An access by the thread that runs, to be remembered.
    #[inline]
    pub(crate) fn record(&self, origin: &Origin, write: bool, bytes: u64) -> Record {
        debug_assert_eq!(origin.thread, self.current, "an access by a thread that was not entered");
        let epoch = self.threads[origin.thread.index()].epoch;
        Record::new(origin, AccessKind::new(origin.mode, write), epoch, bytes)
    }

    /// What an access means for the remembered ones of its chunk.
    #[inline(always)]
    pub(crate) fn find(&self, records: Records, new: &Record) -> Finding {
        self.shadow.find(records, new, self.known())
    }

    /// The remembered access with which it races, and the common bytes.
    #[inline]
    pub(crate) fn conflict(&self, finding: Finding, new: &Record) -> Option<(RaceAccess, u64)> {
        self.shadow.conflict(finding, new)
    }

    /// Whether the list has changed since the last mark, which it then has in front.
    #[inline]
    pub(crate) fn is_new(&self, records: Records) -> bool {
        self.shadow.is_new(records)
    }

    /// Remembers an access in the list in which it was found to mean that.
    #[inline]
    pub(crate) fn remember(&mut self, records: &mut Records, new: &Record, finding: Finding) {
        let (clocks, threads) = (&self.clocks, &self.threads);
        let known = || clocks.components(threads[self.current.index()].clock);
        self.shadow.add(records, new, finding, known);
    }

    /// Records of its own for a chunk of which these bytes were accessed in the same way.
    pub(crate) fn copy(&mut self, records: Records, bytes: u64) -> Records {
        self.shadow.copy(records, bytes)
    }

    /// The memory with those records is gone.
    pub(crate) fn discard(&mut self, records: Records) {
        self.shadow.discard(records);
    }

    /// What the thread that runs knows of the others.
    #[inline]
    pub(super) fn known(&self) -> &[u32] {
        self.clocks.components(self.threads[self.current.index()].clock)
    }
}
