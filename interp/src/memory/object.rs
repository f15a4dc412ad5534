//! Objects and their contents.
use super::pages::Contents;
use super::promoted::Visibility;
use super::{ObjectInfo, ObjectKind, Site, StackId};
use crate::race::{Detector, Records};
use por::ThreadId;

/// Bytes of a chunk: one word of mask bits.
pub(crate) const CHUNK: usize = 64;

/// An address range, and what is or was in it. Its place in the address space never changes; its header does with each
/// new life.
#[derive(Clone, Debug)]
pub(super) struct Object {
    pub(super) header: Header,
    /// Nothing when dead.
    pub(super) contents: Contents,
}

/// Everything about an object except its contents.
#[derive(Clone, Copy, Debug)]
pub(super) struct Header {
    pub(super) base: u64,
    /// Bytes that may be read without further ado: the size, or 0 when it is not alive, if accesses may be actions or
    /// are restricted, or if threads count there.
    pub(super) readable: u64,
    /// Bytes that may be written without further ado: the same, or 0 for a constant.
    pub(super) writable: u64,
    pub(super) size: u64,
    /// Some pages of it may not be accessed in some way, or not be there any more: see [`super::mapping`].
    pub(super) restricted: bool,
    /// Which accesses are actions.
    pub(super) visibility: Visibility,
    /// It has words in which threads count: see [`super::counted`].
    pub(super) counted: bool,
    pub(super) kind: ObjectKind,
    pub(super) life: Life,
    /// log2 of the alignment that was asked for.
    pub(super) align: u8,
    /// Slots reserved, as a size class.
    pub(super) class: u8,
    pub(super) generation: u32,
    pub(super) allocated: Site,
    pub(super) freed: Site,
    /// The logical time of the thread that freed the object, at that moment.
    pub(super) freed_at: u32,
    /// The last action that gave bytes of it a value which had none.
    pub(super) filled: Filled,
    /// The next object in its queue of dead ones; 0 is none.
    pub(super) next: u32,
    /// The race detector's records of every chunk in pages that do not exist yet.
    pub(super) rest: Records,
    /// The mark since which the header before is in the log.
    pub(super) stamp: u32,
    /// The mark since which the contents exist.
    pub(super) born: u32,
}

/// Whether an object is alive.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Life {
    Live,
    /// A variable out of its scope, whose address is still its own.
    Dormant,
    /// Freed, or its function has returned.
    Dead,
}

/// The last action that gave bytes of an object a value which had none.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Filled {
    /// There is none.
    ByNobody,
    /// The thread, and its logical time. It knew of all such actions before.
    By(ThreadId, u32),
    /// Several, of which some do not know of one another.
    BySeveral,
}

/// 64 bytes and what is known about them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Chunk {
    pub(super) data: [u8; CHUNK],
    /// Bytes that were ever written.
    pub(super) written: u64,
    /// Bytes that were stored to by actions that are ordered only if an operation says that it reads them.
    pub(super) blind: u64,
    /// Bytes whose plain reads, plain writes in `segment` the race detector has seen.
    pub(super) reads: u64,
    pub(super) writes: u64,
    pub(super) segment: u64,
    /// The mark since which the chunk before is in the log. (Its records, as long as nothing is written, are in a log
    /// of their own, and what the detector has seen needs none.)
    pub(super) stamp: u32,
    /// The race detector's records.
    pub(super) records: Records,
}

impl Header {
    /// Whether it is alive, and must not be written.
    pub(super) fn is_constant(&self) -> bool {
        self.readable != 0 && self.writable == 0
    }

    /// The first address is a multiple of this.
    pub(super) fn align(&self) -> u64 {
        1 << self.align
    }

    /// Opens the object for accesses as far as its state allows.
    pub(super) fn set_limits(&mut self, constant: bool) {
        let open = self.life == Life::Live && !self.visibility.any() && !self.counted && !self.restricted;
        self.readable = if open { self.size } else { 0 };
        self.writable = if open && !constant { self.size } else { 0 };
    }

    pub(super) fn info(&self) -> ObjectInfo {
        ObjectInfo {
            kind: self.kind,
            base: self.base,
            size: self.size,
            generation: self.generation,
            live: self.life == Life::Live,
            allocated: self.allocated,
            freed: (self.life != Life::Live).then_some(self.freed),
        }
    }
}

impl Site {
    /// Before anything happened.
    pub(super) const NOWHERE: Site = Site { thread: ThreadId(0), event: 0, stack: StackId::EMPTY };
}

impl Chunk {
    /// Fresh bytes: zero and, unless `written`, never written.
    pub(super) fn new(written: u64, stamp: u32) -> Self {
        Chunk {
            data: [0; CHUNK],
            written,
            blind: 0,
            reads: 0,
            writes: 0,
            segment: 0,
            stamp,
            records: Records::default(),
        }
    }

    /// Whether the race detector, or who orders actions, knows something of it.
    pub(super) fn is_known_of(&self) -> bool {
        self.blind != 0 || self.records != Records::default()
    }

    /// The word of which the byte at `within` is a part, and the bits by which that byte is away from its beginning.
    fn around(within: usize) -> (std::ops::Range<usize>, usize) {
        let start = within.min(CHUNK - 8);
        (start..start + 8, 8 * (within - start))
    }

    /// 1…8 bytes that lie in the chunk.
    #[inline]
    pub(super) fn word(&self, within: usize, size: usize) -> u64 {
        let (range, shift) = Chunk::around(within);
        let word = u64::from_le_bytes(self.data[range].try_into().expect("eight bytes"));
        word >> shift & u64::MAX >> (64 - 8 * size)
    }

    /// Changes 1…8 bytes that lie in the chunk.
    #[inline]
    pub(super) fn set_word(&mut self, within: usize, size: usize, value: u64) {
        let (range, shift) = Chunk::around(within);
        let bytes = &mut self.data[range];
        let word = u64::from_le_bytes((&*bytes).try_into().expect("eight bytes"));
        let mask = u64::MAX >> (64 - 8 * size);
        let word = word & !(mask << shift) | (value & mask) << shift;
        bytes.copy_from_slice(&word.to_le_bytes());
    }

    /// Whether the race detector need not look at an access to these bytes by the thread that runs: no other one has
    /// existed, the thread is alone, or it has accessed them so in this stretch of its run. Bytes that were stored to
    /// by an action that is ordered only if another one says that it reads them it does look at: what was stored while
    /// there was one thread comes before whatever others store.
    #[inline(always)]
    pub(super) fn is_settled(&self, race: &Detector, bytes: u64, write: bool) -> bool {
        let seen = if write { self.writes } else { self.reads | self.writes };
        let is_known = || self.segment == race.segment() && bytes & !seen == 0;
        !race.checking() || bytes & self.blind == 0 && (race.is_alone() || is_known())
    }
}
