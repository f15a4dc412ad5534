//! Footprints of atomic blocks as lanes of one object.
//!
//! All that blocks touch is divided into *lanes* of the block object: bytes that the same blocks read and the same
//! blocks write are one lane, so that two blocks are independent if neither writes a lane that the other touches. An
//! action outside of blocks touches the lanes of the bytes that it accesses, in the same way. (Where such actions
//! access bytes of a lane, its eight bytes are no others' lane, for they would depend on one another then, too.) What
//! no block touches has no lane.
//!
//! The *word* of the block object says which lanes are closed: a block that has written there, or will go on with what
//! it has read, stands in its middle. No other thread's action touches a closed lane. So actions that touch no lane of
//! a block can come in its middle, where they could as well have come before it.
//!
//! The last lane is that of everything: all actions that touch anything read it, and blocks that concern more than
//! memory write it.
//!
//! **What blocks order.** A block happens before another one if both touch a lane that one of them writes: each lane
//! has two clocks, of those that have written it and of those that have read it. So what happens before what follows
//! from which depends on which.
use super::data::{BlockData, BlockNumber};
use crate::memory::{ObjectIds, ObjectKey, Role, Touch};
use por::{Access, Lanes as Layout, ObjectId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

/// The lane of everything.
pub(crate) const EVERYTHING: u64 = 1 << 63;

/// The last one that is for bytes; all for which there is no other are in it.
const LAST: u8 = 62;

/// Says that a byte has no lane.
const NONE: u8 = u8::MAX;

/// Which lanes are read and which are written.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct LaneSet {
    pub(crate) reads: u64,
    pub(crate) writes: u64,
}

/// A footprint, as an exploration uses it.
#[derive(Clone, Default, Debug)]
struct Block {
    lanes: LaneSet,
    /// By address of 64 bytes, or of an object that is one thing: what may be read, and what may be written.
    bytes: FxHashMap<u64, (u64, u64)>,
    stops: bool,
    everything: bool,
}

/// The lanes of an exploration. They do not change while it goes on.
#[derive(Clone, Default, Debug)]
pub(crate) struct BlockLanes {
    blocks: Vec<Block>,
    /// By address of eight bytes: the lane of each.
    bytes: FxHashMap<u64, [u8; 8]>,
    /// By address of an object: the lanes of its bytes.
    objects: FxHashMap<u64, u64>,
    /// Objects that are one thing.
    whole: FxHashSet<u64>,
    /// By lane: the address of its first byte, which names it.
    names: Vec<u64>,
    /// Lanes of more than eight bytes.
    wide: u64,
    /// All blocks touch everything, those that are not known yet, too.
    all: bool,
    /// Some block does.
    universal: bool,
    /// By lane: the clock of those that have written it, and that of those that have read it.
    clocks: Vec<[ObjectId; 2]>,
}

/// A block, and which of 64 bytes it reads and which it writes.
type Part = (BlockNumber, u64, u64);

/// What tells lanes apart: the eight bytes, if these are not put together with others, and the blocks that read and
/// that write.
type Class = (Option<u64>, Vec<(BlockNumber, bool, bool)>);

impl BlockLanes {
    /// The lanes for what has been learned, or (`all`) for blocks each of which touches everything.
    pub(crate) fn new(data: &BlockData, all: bool, ids: &mut ObjectIds) -> Self {
        let all = all || data.everything;
        let blocks = data.blocks.iter().map(|touched| Block {
            lanes: LaneSet::default(),
            bytes: touched.bytes.iter().map(|((base, chunk), kinds)| (*chunk.max(base), *kinds)).collect(),
            stops: touched.stops,
            everything: touched.everything || all,
        });
        let mut lanes = BlockLanes { blocks: blocks.collect(), all, ..BlockLanes::default() };
        lanes.names = vec![u64::MAX; 64];
        lanes.whole = data.whole.iter().copied().collect();
        let mut chunks: BTreeMap<(u64, u64), Vec<Part>> = BTreeMap::new();
        for (number, touched) in (0..).zip(&data.blocks) {
            for (chunk, (reads, writes)) in &touched.bytes {
                chunks.entry(*chunk).or_default().push((number, *reads, *writes));
            }
        }
        let mut classes: FxHashMap<Class, u8> = FxHashMap::default();
        for ((base, chunk), blocks) in &chunks {
            for part in parts(blocks, *chunk, &data.apart) {
                let kinds =
                    blocks.iter().map(|(number, reads, writes)| (*number, part & reads != 0, part & writes != 0));
                let kinds: Vec<_> = kinds.filter(|(_, reads, writes)| *reads || *writes).collect();
                let granule = chunk.wrapping_add(u64::from(part.trailing_zeros() & !7));
                let class: Class = (data.apart.contains(&granule).then_some(granule), kinds);
                let next = (classes.len() as u8).min(LAST);
                let is_known = classes.contains_key(&class);
                let lane = *classes.entry(class.clone()).or_insert(next);
                lanes.add(lane, is_known || next == LAST, (*base, *chunk), part, &class.1);
            }
        }
        lanes.universal = all || lanes.blocks.iter().any(|block| block.everything);
        for block in &mut lanes.blocks {
            let LaneSet { reads, writes } = &mut block.lanes;
            if block.stops {
                *writes |= *reads;
            }
            if block.everything {
                *writes |= EVERYTHING;
            } else if lanes.universal {
                *reads |= EVERYTHING;
            }
            *reads &= !*writes;
        }
        let mut clock = |number| ids.intern(ObjectKey::Process(number));
        lanes.clocks = (0..64).map(|lane| [clock(2 * lane + 1), clock(2 * lane + 2)]).collect();
        lanes
    }

    /// These bytes are in a lane that these blocks touch.
    fn add(
        &mut self,
        lane: u8,
        is_wide: bool,
        (base, chunk): (u64, u64),
        part: u64,
        blocks: &[(BlockNumber, bool, bool)],
    ) {
        let bit = 1 << lane;
        let first = chunk.max(base).wrapping_add(part.trailing_zeros().into());
        let name = &mut self.names[usize::from(lane)];
        *name = first.min(*name);
        *self.objects.entry(base).or_default() |= bit;
        let first_granule = part.trailing_zeros() / 8;
        if is_wide || part >> (8 * first_granule) > 0xff {
            self.wide |= bit;
        }
        if chunk != 0 {
            for byte in (0..64u64).filter(|byte| part >> byte & 1 != 0) {
                let granule = self.bytes.entry(chunk.wrapping_add(byte & !7)).or_insert([NONE; 8]);
                granule[(byte & 7) as usize] = lane;
            }
        }
        for &(number, reads, writes) in blocks {
            let lanes = &mut self.blocks[number as usize].lanes;
            lanes.reads |= if reads { bit } else { 0 };
            lanes.writes |= if writes { bit } else { 0 };
        }
    }

    /// Those of a block.
    #[inline]
    pub(crate) fn of_block(&self, number: BlockNumber) -> LaneSet {
        let unknown = LaneSet { reads: 0, writes: if self.all { EVERYTHING } else { 0 } };
        self.blocks.get(number as usize).map_or(unknown, |block| block.lanes)
    }

    /// The address of the first byte of a lane. What states consist of has no numbers of lanes in it.
    pub(crate) fn name(&self, lane: u32) -> u64 {
        self.names.get(lane as usize).copied().unwrap_or(u64::MAX)
    }

    /// Whether something that a block touches is in its footprint.
    pub(crate) fn allows(&self, number: BlockNumber, touch: &Touch) -> bool {
        let Some(block) = self.blocks.get(number as usize) else { return false };
        let (address, bytes) =
            if self.whole.contains(&touch.base) { (touch.base, 1) } else { (touch.chunk, touch.bytes) };
        let Some((reads, writes)) = block.bytes.get(&address) else { return false };
        let allowed = if touch.write { *writes } else { reads | writes };
        bytes & !allowed == 0
    }

    /// Whether it is known that the block stops in the middle.
    pub(crate) fn stops(&self, number: BlockNumber) -> bool {
        self.all || self.blocks.get(number as usize).is_some_and(|block| block.stops || block.everything)
    }

    /// Whether the block is known to touch everything.
    pub(crate) fn touches_everything(&self, number: BlockNumber) -> bool {
        self.all || self.blocks.get(number as usize).is_some_and(|block| block.everything)
    }

    /// Whether some block touches everything.
    pub(crate) fn is_universal(&self) -> bool {
        self.universal
    }

    /// Whether no block touches anything that an action could access.
    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.objects.is_empty()
    }

    /// The lanes of what an action outside of blocks accesses.
    pub(crate) fn of_access(&self, key: ObjectKey, access: &Access) -> LaneSet {
        let ObjectKey::InMemory { role, base, generation: _, offset } = key else { return LaneSet::default() };
        let Some(all) = self.objects.get(&base).filter(|_| role != Role::Queue) else { return LaneSet::default() };
        let touched = |mask: u64| match role {
            _ if mask == 0 => 0,
            _ if self.whole.contains(&base) => *all,
            Role::Granule if access.lanes == Layout::Bytes => self.of_bytes(base.wrapping_add(offset) & !7, mask),
            Role::Life => *all,
            _ => self.of_bytes(base.wrapping_add(offset) & !7, 0xff),
        };
        LaneSet { reads: touched(access.reads), writes: touched(access.writes) }
    }

    fn of_bytes(&self, granule: u64, bytes: u64) -> u64 {
        let Some(lanes) = self.bytes.get(&granule) else { return 0 };
        let lanes = lanes.iter().enumerate().filter(|(byte, lane)| **lane != NONE && bytes >> byte & 1 != 0);
        lanes.fold(0, |all, (_, lane)| all | 1 << lane)
    }

    /// Whether some of these lanes are of more than eight bytes.
    pub(crate) fn are_wide(&self, lanes: u64) -> bool {
        lanes & self.wide != 0
    }

    /// The clocks of a lane: of those that have written it, and of those that have read it.
    pub(crate) fn clocks(&self, lane: u32) -> [ObjectId; 2] {
        self.clocks[lane as usize]
    }
}

/// The touched ones of 64 bytes, divided by which blocks touch them, and where eight bytes are not put together with
/// others.
fn parts(blocks: &[Part], chunk: u64, apart: &std::collections::BTreeSet<u64>) -> Vec<u64> {
    let all = blocks.iter().fold(0, |all, (_, reads, writes)| all | reads | writes);
    let granules = (0..8).filter(|granule| chunk != 0 && apart.contains(&chunk.wrapping_add(8 * granule)));
    let granules = granules.map(|granule| 0xff << (8 * granule));
    let masks = blocks.iter().flat_map(|(_, reads, writes)| [*reads, *writes]).chain(granules);
    divided(all, masks)
}

/// Bits, divided by which of these sets each is in.
pub(crate) fn divided(all: u64, sets: impl Iterator<Item = u64>) -> Vec<u64> {
    let divide = |parts: Vec<u64>, set: u64| {
        parts.into_iter().flat_map(|part| [part & set, part & !set]).filter(|part| *part != 0).collect()
    };
    sets.fold(vec![all], divide)
}

/// The numbers of the bits that are set.
pub(crate) fn lanes_in(set: u64) -> impl Iterator<Item = u32> {
    let mut rest = set;
    std::iter::from_fn(move || {
        let lane = (rest != 0).then(|| rest.trailing_zeros())?;
        rest &= rest - 1;
        Some(lane)
    })
}
