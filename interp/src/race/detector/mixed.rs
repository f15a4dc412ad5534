//! Objects that are accessed both plainly and atomically.
//!
//! An atomic access that leads to a known state is taken back at once, so it never meets the plain accesses that come
//! later in the exploration. That there are such accesses is noticed here, by place and not by execution: once an
//! access of either kind has been executed at all, the other kind is found to mix with it, if only by those that come
//! later. (What came earlier in the same execution, the check for races sees itself.)
use super::Detector;
use crate::memory::{ObjectKind, StackId};
use por::ThreadId;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// More than one thread.
const MANY: u32 = u32::MAX;

/// What is known of all executions.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Mixed {
    on: bool,
    /// By kind and origin of an object and number of a chunk: bytes that were accessed atomically, and by which
    /// threads.
    atomics: FxHashMap<(ObjectKind, StackId, u64), (u64, u32)>,
    /// What mixes.
    objects: BTreeSet<(ObjectKind, StackId)>,
    /// Atomic accesses to such objects.
    accesses: u64,
}

impl Detector {
    /// From now on mixing is looked for, or no longer.
    pub(crate) fn look_for_mixing(&mut self, on: bool) {
        self.mixed.on = on;
    }

    /// Objects that are accessed both plainly and atomically by different threads: what they are, and where they are
    /// allocated.
    pub(crate) fn mixed(&self) -> &BTreeSet<(ObjectKind, StackId)> {
        &self.mixed.objects
    }

    /// Takes over what was noted in other executions.
    pub(crate) fn set_mixed(&mut self, mixed: BTreeSet<(ObjectKind, StackId)>) {
        self.mixed.objects = mixed;
    }

    /// Atomic accesses so far to objects that mix, in all executions.
    pub(crate) fn mixed_accesses(&self) -> u64 {
        self.mixed.accesses
    }

    /// Bytes of a chunk of an object of that kind and origin are accessed.
    #[inline]
    pub(crate) fn note_kind(&mut self, place: (ObjectKind, StackId, u64), thread: ThreadId, plain: bool, bytes: u64) {
        if self.mixed.on {
            self.mixed.note(place, thread.0, plain, bytes);
        }
    }

    /// Chunks of an object of that kind and origin, which that tells, are accessed plainly.
    pub(crate) fn note_plain(
        &mut self,
        (kind, origin): (ObjectKind, StackId),
        thread: ThreadId,
        accessed: impl Fn(u64) -> bool,
    ) {
        let mixes = |(place, (bytes, by)): (&(ObjectKind, StackId, u64), &(u64, u32))| {
            (place.0, place.1) == (kind, origin) && *bytes != 0 && *by != thread.0 && accessed(place.2)
        };
        if self.mixed.on && self.mixed.atomics.iter().any(mixes) {
            self.mixed.objects.insert((kind, origin));
        }
    }
}

impl Mixed {
    fn note(&mut self, place: (ObjectKind, StackId, u64), thread: u32, plain: bool, bytes: u64) {
        let object = (place.0, place.1);
        if plain {
            if let Some(&(atomic, by)) = self.atomics.get(&place)
                && bytes & atomic != 0
                && by != thread
            {
                self.objects.insert(object);
            }
            return;
        }
        let (atomic, by) = self.atomics.entry(place).or_insert((0, thread));
        *atomic |= bytes;
        if *by != thread {
            *by = MANY;
        }
        self.accesses += u64::from(!self.objects.is_empty() && self.objects.contains(&object));
    }
}
