//! Words in which threads count, and at which nobody may look ([`waiting::tally`](crate::waiting)).
//!
//! A word is bytes of the objects of one kind that were allocated at one place of the program. An object with such a
//! word is out of bounds for the fast paths: their limits in its header are 0. The complete forms note which of these
//! words they read and write, so that none can be forgotten.
use super::Memory;
use super::object::{CHUNK, Life};
use super::promoted::origin_of;
use super::{ObjectKind, StackId};
use crate::race::RaceLocation;
use rustc_hash::FxHashMap;

/// The words, by objects.
#[derive(Clone, Default, Debug)]
pub(super) struct Counted {
    sites: FxHashMap<(ObjectKind, StackId), Vec<RaceLocation>>,
    /// Those that were read. Of one action.
    read: Vec<RaceLocation>,
    /// Those that were written, and where. Of one action.
    written: Vec<(u64, RaceLocation)>,
    /// What they hold is no part of what is compared.
    left_out: bool,
}

impl Counted {
    /// Whether an object of that kind that is allocated there has such words.
    pub(super) fn has(&self, kind: ObjectKind, allocated: StackId) -> bool {
        !self.sites.is_empty() && self.sites.contains_key(&origin_of(kind, allocated))
    }
}

impl Memory {
    /// From now on threads count in these words.
    pub(crate) fn count_in(&mut self, words: impl Iterator<Item = RaceLocation>) {
        self.counted = Counted::default();
        for word in words {
            self.counted.sites.entry((word.kind, word.allocated)).or_default().push(word);
        }
        for object in &mut self.objects[1..] {
            let header = &mut object.header;
            let constant = header.life == Life::Live && header.is_constant();
            header.counted = !constant && self.counted.has(header.kind, header.allocated.stack);
            header.set_limits(constant);
        }
    }

    /// From now on what these words hold is a part of what is compared, or it is not.
    pub(crate) fn leave_counts_out(&mut self, on: bool) {
        self.counted.left_out = on && !self.counted.sites.is_empty();
    }

    #[inline]
    pub(super) fn leaves_counts_out(&self) -> bool {
        self.counted.left_out
    }

    /// The bytes of a chunk of an object that belong to such words.
    #[cold]
    pub(super) fn counts_in(&self, object: usize, chunk: usize) -> u64 {
        let header = &self.objects[object].header;
        let words = header.counted.then(|| self.counted.sites.get(&origin_of(header.kind, header.allocated.stack)));
        let begin = (chunk * CHUNK) as u64;
        let of_word = |word: &RaceLocation| {
            let bytes = word.first.max(begin)..=word.last.min(begin + CHUNK as u64 - 1);
            bytes.fold(0, |all, byte| all | 1 << (byte - begin))
        };
        words.flatten().into_iter().flatten().map(of_word).fold(0, |all, bytes: u64| all | bytes)
    }

    /// The word there, as it is known in all executions; `None` if it may not be written, or lies in two objects. (If
    /// the object is dead, the one that it was: what a thread would do where it stands is also asked for when it has
    /// gone on.)
    pub(crate) fn word_to_count_in(&self, address: u64, size: u8) -> Option<RaceLocation> {
        let header = &self.objects[self.space.object(address) as usize].header;
        let first = address.wrapping_sub(header.base);
        let fits = first.checked_add(size.into()).is_some_and(|end| end <= header.size);
        let is_open = !header.is_constant() && !header.restricted;
        let (kind, allocated) = origin_of(header.kind, header.allocated.stack);
        (fits && is_open).then(|| RaceLocation { kind, allocated, first, last: first + u64::from(size) - 1 })
    }

    /// Whether the object at the address has words in which threads count.
    #[inline]
    pub(crate) fn is_counted_in(&self, address: u64) -> bool {
        !self.counted.sites.is_empty() && self.objects[self.space.object(address) as usize].header.counted
    }

    /// Whether such words were read since that was asked last.
    #[inline]
    pub(crate) fn has_read_counts(&self) -> bool {
        !self.counted.read.is_empty()
    }

    /// Which were.
    pub(crate) fn take_read_counts(&mut self) -> Vec<RaceLocation> {
        std::mem::take(&mut self.counted.read)
    }

    /// Whether such words were written since that was asked last.
    #[inline]
    pub(crate) fn has_written_counts(&self) -> bool {
        !self.counted.written.is_empty()
    }

    /// Which were, and where.
    pub(crate) fn take_written_counts(&mut self) -> Vec<(u64, RaceLocation)> {
        std::mem::take(&mut self.counted.written)
    }

    /// Notes which of these words lie among bytes of a chunk that are read, or written.
    #[cold]
    pub(super) fn note_counts(&mut self, write: bool, object: usize, index: usize, bytes: u64) {
        let header = &self.objects[object].header;
        let begin = (index * CHUNK) as u64;
        let (first, last) = (begin + u64::from(bytes.trailing_zeros()), begin + 63 - u64::from(bytes.leading_zeros()));
        let Counted { sites, read, written, left_out: _ } = &mut self.counted;
        // (What is written may be a part of an address of which the other part lies in such a word.)
        let around = |offset: u64| (header.base + offset) & !7;
        let (first, last) = match write {
            true => (around(first).saturating_sub(header.base), around(last) + 7 - header.base),
            false => (first, last),
        };
        let words = sites.get(&origin_of(header.kind, header.allocated.stack)).into_iter().flatten();
        let words = words.filter(|word| word.first <= last && first <= word.last);
        if write {
            written.extend(words.map(|word| (header.base + word.first, *word)));
        } else {
            read.extend(words);
        }
    }
}
