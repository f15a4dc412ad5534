//! The markings of all histories so far: for each, the smallest history that leads there.
use super::super::clock::{Clocks, Union};
use super::tables::Around;
use hashbrown::HashTable;
use rustc_hash::FxHasher;
use std::hash::Hasher;

/// The history that leads to a marking.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Holder {
    /// A candidate that waits for its turn.
    Waiting(u32),
    /// A history of the prefix.
    Kept(u32),
}

/// A marking that is known.
pub(super) struct Known {
    /// Size of the smallest history that leads there.
    pub(super) size: u32,
    pub(super) holder: Holder,
}

/// A set of markings, which are compared bit by bit.
pub(super) struct Markings {
    /// Sixteen bits of each.
    width: usize,
    bits: Vec<u16>,
    pub(super) known: Vec<Known>,
    names: HashTable<u32>,
}

impl Markings {
    pub(super) fn new(width: usize) -> Self {
        Markings { width, bits: Vec::new(), known: Vec::new(), names: HashTable::new() }
    }

    /// The marking after a transition that fires where these places are as in the union; into `bits`. If a place would
    /// have two tokens, this place.
    pub(super) fn after(clocks: &Clocks, union: &Union, around: &Around, bits: &mut Vec<u16>) -> Result<(), u32> {
        bits.clear();
        bits.extend((0..clocks.width()).map(|index| clocks.even(union, index)));
        for &place in &around.inputs[..around.consumed] {
            bits[place as usize / 16] &= !(1 << (place % 16));
        }
        for &place in &around.postset {
            let bit = 1 << (place % 16);
            let word = &mut bits[place as usize / 16];
            if *word & bit != 0 {
                return Err(place);
            }
            *word |= bit;
        }
        Ok(())
    }

    /// The number of a marking, and whether it is known already. If not, it is made known.
    pub(super) fn enter(&mut self, marking: &[u16], size: u32, holder: Holder) -> Result<u32, u32> {
        let Markings { width, bits, known, names } = self;
        let of = |id: u32| id as usize * *width..(id as usize + 1) * *width;
        if let Some(&id) = names.find(hash(marking), |&id| bits[of(id)] == *marking) {
            return Ok(id);
        }
        let id = u32::try_from(known.len()).expect("fewer than 2^32 markings");
        bits.extend_from_slice(marking);
        known.push(Known { size, holder });
        names.insert_unique(hash(marking), id, |&id| hash(&bits[of(id)]));
        Err(id)
    }

    /// Bytes that this takes.
    pub(super) fn bytes(&self) -> usize {
        self.bits.capacity() * 2 + self.known.capacity() * size_of::<Known>() + self.names.allocation_size()
    }
}

fn hash(marking: &[u16]) -> u64 {
    let mut hasher = FxHasher::default();
    let mut chunks = marking.chunks_exact(4);
    for chunk in &mut chunks {
        let word = chunk.iter().fold(0, |word, &bits| word << 16 | u64::from(bits));
        hasher.write_u64(word);
    }
    chunks.remainder().iter().for_each(|&bits| hasher.write_u16(bits));
    hasher.finish()
}
