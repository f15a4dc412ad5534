//! What atomic blocks touch, as far as explorations have shown.
//!
//! **A footprint is taken to be complete until a block leaves it.** Every byte that a block reads or writes is noted
//! where the race detector looks at it ([`Memory::take_touched`](crate::memory::Memory::take_touched)). Where a block
//! has touched something that its footprint lacks, the footprint grows and the exploration starts again. So nothing has
//! to be known of the code: pointers, calls through pointers, library models and loops are what they are in the state
//! in which they run.
//!
//! **Why the last exploration is complete.** Let S be the system in which a block that leaves its footprint stops
//! there, for good. In S each block touches what its footprint says, and no more, so the dependency of S is right: what
//! independent actions do does not depend on their order, nor does it if a block stops, for the access that leaves the
//! footprint has an address and a kind that follow from what the thread has read before, which lies within the
//! footprint. So an exploration of S is complete, and if some execution of S has a block that stops, one that is
//! explored has it too, up to the order of independent actions. If none has, S is the program.
//!
//! **Where a block begins** is the thread and its call stack: the same function, called with other arguments or by
//! another thread, has another footprint.
use crate::memory::{StackId, Touch};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// The number of a block: of a place where one begins.
pub(crate) type BlockNumber = u32;

/// That of no block.
pub(crate) const NO_BLOCK: BlockNumber = u32::MAX;

/// How many places there may be where blocks begin, and how often footprints may grow. Beyond that all blocks touch
/// everything.
const MOST_BLOCKS: usize = 2_000;
const MOST_GROWTHS: u32 = 4_000;

/// How many pieces of 64 bytes of one object are told apart in one footprint. Beyond that the object is one thing.
const MOST_CHUNKS: usize = 16;

/// Where a block begins.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub(crate) struct BlockSite {
    pub(crate) thread: u32,
    pub(crate) stack: StackId,
}

/// What a block touches.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub(crate) struct Touched {
    /// By object and 64 bytes of it: which of these it reads, and which it writes. Of an object that is one thing there
    /// is one entry, at 0.
    pub(crate) bytes: BTreeMap<(u64, u64), (u64, u64)>,
    /// It stops in the middle, before an action that can happen in several ways: nothing that it has touched may change
    /// until it goes on.
    pub(crate) stops: bool,
    /// It does something that concerns more than memory.
    pub(crate) everything: bool,
}

/// What all blocks touch.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub(crate) struct BlockData {
    numbers: BTreeMap<BlockSite, BlockNumber>,
    /// By number.
    pub(crate) blocks: Vec<Touched>,
    /// Objects of which parts are not told apart.
    pub(crate) whole: BTreeSet<u64>,
    /// Eight bytes each, by address: they are accessed by actions outside of blocks, too, and so are not put together
    /// with others.
    pub(crate) apart: BTreeSet<u64>,
    /// There are too many blocks, or they touch too much: each touches everything.
    pub(crate) everything: bool,
    growths: u32,
}

impl BlockData {
    /// The number of the block that begins there.
    pub(crate) fn number(&mut self, site: BlockSite) -> BlockNumber {
        let next = self.blocks.len();
        let number = *self.numbers.entry(site).or_insert(next as BlockNumber);
        if number as usize == next {
            self.blocks.push(Touched::default());
        }
        number
    }

    /// Where they begin, by number.
    pub(crate) fn sites(&self) -> Vec<BlockSite> {
        let mut sites: Vec<_> = self.numbers.iter().map(|(site, number)| (*number, *site)).collect();
        sites.sort_unstable();
        sites.into_iter().map(|(_, site)| site).collect()
    }

    /// The block has touched that, which its footprint lacks.
    pub(crate) fn add(&mut self, block: BlockNumber, touch: &Touch) {
        if touch.chunk == 0 && !self.whole.contains(&touch.base) {
            self.make_whole(touch.base);
        }
        let touched = &mut self.blocks[block as usize].bytes;
        let key = if self.whole.contains(&touch.base) { (touch.base, 0) } else { (touch.base, touch.chunk) };
        let (reads, writes) = touched.entry(key).or_default();
        let bytes = if key.1 == 0 { 1 } else { touch.bytes };
        *(if touch.write { writes } else { reads }) |= bytes;
        if touched.range((touch.base, 0)..=(touch.base, u64::MAX)).count() > MOST_CHUNKS {
            self.make_whole(touch.base);
        }
    }

    /// The parts of an object are not told apart any more.
    pub(crate) fn make_whole(&mut self, base: u64) {
        self.whole.insert(base);
        for block in &mut self.blocks {
            let parts: Vec<_> =
                block.bytes.range((base, 0)..=(base, u64::MAX)).map(|(key, kinds)| (*key, *kinds)).collect();
            let kinds = parts
                .iter()
                .fold((0, 0), |all, (_, kinds)| (all.0 | u64::from(kinds.0 != 0), all.1 | u64::from(kinds.1 != 0)));
            parts.iter().for_each(|(key, _)| {
                block.bytes.remove(key);
            });
            if !parts.is_empty() {
                block.bytes.insert((base, 0), kinds);
            }
        }
    }

    /// A footprint has grown.
    pub(crate) fn note_growth(&mut self) {
        self.growths += 1;
        self.everything |= self.growths > MOST_GROWTHS || self.blocks.len() > MOST_BLOCKS;
    }
}
