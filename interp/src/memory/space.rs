//! The address space: which object an address belongs to, and where new objects go.
//!
//! The space is cut into *slots* (1 MiB on LP64, 256 bytes on ILP32); an object takes one or several whole slots, at
//! least half a slot more than its size on LP64 and a whole one on ILP32: whatever runs past its end meets nothing for a
//! while. 4096 slots are an *extent*; a thread gets extents as it needs them, so that its addresses depend on nothing but
//! its own allocations and frees. Which extents are a thread's is settled when first asked and never changes, in any
//! execution. The first extents stay empty: null and what is near it is never mapped, nor what stands for addresses that have
//! left their object (see the module `stray`).
//!
//! A dead object's slots are used again, for objects of the same kind and size class, after a quarantine: the dead wait in
//! one queue per thread and kind until enough of them have died later. A block freed by another thread than its own is never used
//! again: otherwise the address of the owner's next block would depend on which of two independent steps came first.
use super::stray::{first_above, first_address};
use frontend::ir::DataModel;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

pub(super) const EXTENT_SLOTS: u64 = 4096;

/// The slots at the beginning of a run that stay empty, so that addresses are far from what numbers in a program's memory
/// look like (on LP64 the number of an extent is that of a small integer beside a zero): a leak would not be seen.
const EMPTY_SLOTS: u64 = 37;

/// Where objects lie.
#[derive(Clone, Debug)]
pub(super) struct Space {
    /// The bits that an address has.
    pub(super) mask: u64,
    /// The first address that an object may have.
    pub(super) first: u64,
    /// log2 of a slot's bytes.
    pub(super) slot_bits: u32,
    /// Slots that follow every object besides those that hold it and half a slot.
    guard_slots: u64,
    /// For each slot of the extents given out, the object; 0 is none.
    slots: Vec<u32>,
    /// The first extent of each run of extents ever given out. Never undone.
    runs: FxHashMap<Run, u64>,
    /// Extents given out so far. Never undone.
    next_extent: u64,
    /// Number of extents before the substitutes above all objects.
    extents: u64,
}

/// A run of extents: pool, ordinal within the pool, and length.
type Run = (u32, u32, u64);

/// Which extents were given out to whom: what is never undone.
#[derive(Serialize, Deserialize)]
pub(super) struct GivenOut {
    /// Sorted.
    runs: Vec<(Run, u64)>,
    next_extent: u64,
}

/// Where the next fresh object of a pool goes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub(super) struct Frontier {
    /// First slot not used yet, and the end of the current run.
    next: u64,
    end: u64,
    /// Runs asked for so far.
    runs: u32,
}

impl Space {
    pub(super) fn new(model: DataModel) -> Self {
        let (slot_bits, guard_slots) = match model {
            DataModel::Lp64 => (20, 0),
            DataModel::Ilp32 => (8, 1),
        };
        let next_extent = (first_address(model) >> slot_bits) / EXTENT_SLOTS;
        Space {
            mask: u64::MAX >> (64 - 8 * model.pointer_bytes()),
            first: first_address(model),
            slot_bits,
            guard_slots,
            slots: vec![0; (next_extent * EXTENT_SLOTS) as usize],
            runs: FxHashMap::default(),
            next_extent,
            extents: (first_above(model) >> slot_bits) / EXTENT_SLOTS,
        }
    }

    /// The object whose slots hold the address; 0 if none.
    #[inline]
    pub(super) fn object(&self, address: u64) -> u32 {
        self.find(address).unwrap_or(0)
    }

    /// The same; `None` (besides 0) for an address beyond all slots.
    #[inline]
    pub(super) fn find(&self, address: u64) -> Option<u32> {
        self.slots.get((address >> self.slot_bits) as usize).copied()
    }

    /// How far `address` is behind `base`; negative if it is in front of it.
    pub(super) fn distance(&self, base: u64, address: u64) -> i64 {
        let spare = self.mask.leading_zeros();
        (address.wrapping_sub(base) << spare).cast_signed() >> spare
    }

    /// The size class of an object: the smallest with enough slots.
    pub(super) fn class(&self, size: u64) -> u8 {
        let half = 1 << (self.slot_bits - 1);
        let slots = ((size + half) >> self.slot_bits) + 1 + self.guard_slots;
        (0..).find(|&class| class_slots(class) >= slots).expect("there is a class for every size")
    }

    /// Slots for an object of that class at a multiple of `align`, beyond everything the pool has used; the first address.
    /// `None` when the address space is full.
    pub(super) fn fresh(&mut self, pool: u32, frontier: &mut Frontier, class: u8, align: u64) -> Option<u64> {
        let slots = class_slots(class);
        let step = (align >> self.slot_bits).max(1);
        let mut start = frontier.next.next_multiple_of(step);
        if start + slots > frontier.end {
            // Extents lie at multiples of their own size; more than that is not given.
            if step > EXTENT_SLOTS {
                return None;
            }
            let first = EMPTY_SLOTS.next_multiple_of(step);
            let extents = (first + slots).div_ceil(EXTENT_SLOTS);
            let run = self.run(pool, frontier.runs, extents)? * EXTENT_SLOTS;
            frontier.runs += 1;
            start = run + first;
            frontier.end = run + extents * EXTENT_SLOTS;
        }
        frontier.next = start + slots;
        Some(start << self.slot_bits)
    }

    /// The first address behind the slots of an object.
    pub(super) fn end(&self, base: u64, class: u8) -> u64 {
        base + (class_slots(class) << self.slot_bits)
    }

    /// Notes that the slots from `base` belong to that object (0: nobody).
    pub(super) fn assign(&mut self, base: u64, class: u8, object: u32) {
        let first = base >> self.slot_bits;
        self.slots[first as usize..(first + class_slots(class)) as usize].fill(object);
    }

    /// What is never undone.
    pub(super) fn given_out(&self) -> GivenOut {
        // The first four follow from the data model; which object a slot has is a matter of the execution.
        let Space { mask: _, first: _, slot_bits: _, guard_slots: _, slots: _, runs, next_extent, extents: _ } = self;
        let mut runs: Vec<(Run, u64)> = runs.iter().map(|(run, first)| (*run, *first)).collect();
        runs.sort_unstable();
        GivenOut { runs, next_extent: *next_extent }
    }

    /// Takes over what another space for the same program has given out. False if that cannot be.
    pub(super) fn take_over(&mut self, given_out: GivenOut) -> bool {
        let GivenOut { runs, next_extent } = given_out;
        let runs = FxHashMap::from_iter(runs);
        let known = self.runs.iter().all(|(run, first)| runs.get(run) == Some(first));
        if !known || next_extent > self.extents || runs.iter().any(|((.., length), first)| first + length > next_extent)
        {
            return false;
        }
        (self.runs, self.next_extent) = (runs, next_extent);
        self.slots.resize((next_extent * EXTENT_SLOTS) as usize, 0);
        true
    }

    /// The first of `length` extents in a row.
    fn run(&mut self, pool: u32, ordinal: u32, length: u64) -> Option<u64> {
        if let Some(&first) = self.runs.get(&(pool, ordinal, length)) {
            return Some(first);
        }
        let first = self.next_extent;
        if first + length > self.extents {
            return None;
        }
        self.next_extent += length;
        // Extents are given out in the order of their addresses, so the table has no holes.
        self.slots.resize((self.next_extent * EXTENT_SLOTS) as usize, 0);
        self.runs.insert((pool, ordinal, length), first);
        Some(first)
    }
}

/// Slots of a size class: 1, 2, 3, 4, 6, 8, 12, 16, 24, 32, …
fn class_slots(class: u8) -> u64 {
    match class {
        0 => 1,
        odd if odd % 2 == 1 => 2 << (odd / 2),
        even => 3 << (even / 2 - 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_grow() {
        let slots: Vec<u64> = (0..9).map(class_slots).collect();
        assert_eq!(slots, [1, 2, 3, 4, 6, 8, 12, 16, 24]);
    }

    #[test]
    fn objects_never_touch_their_neighbours() {
        for model in [DataModel::Lp64, DataModel::Ilp32] {
            let mut space = Space::new(model);
            let mut frontier = Frontier::default();
            let slot = 1u64 << space.slot_bits;
            let mut end = 0;
            for size in [0, 1, 100, slot - 1, slot, slot + 1, 3 * slot, 5000 * slot, 7] {
                let class = space.class(size);
                let base = space.fresh(1, &mut frontier, class, 1).expect("there is room");
                assert!(base >= end, "{model:?} {size}");
                end = base + size + slot / 2;
                assert!(base.is_multiple_of(slot));
            }
        }
    }

    #[test]
    fn a_pool_is_settled_by_its_own_history() {
        let mut space = Space::new(DataModel::Ilp32);
        let (mut one, mut two) = (Frontier::default(), Frontier::default());
        let a = space.fresh(1, &mut one, 0, 1);
        let b = space.fresh(2, &mut two, 0, 1);
        let (mut one, mut two) = (Frontier::default(), Frontier::default());
        assert_eq!(space.fresh(2, &mut two, 0, 1), b);
        assert_eq!(space.fresh(1, &mut one, 0, 1), a);
    }

    #[test]
    fn a_pool_is_settled_for_whoever_takes_over() {
        let mut space = Space::new(DataModel::Ilp32);
        let bases = [1, 2].map(|pool| space.fresh(pool, &mut Frontier::default(), 0, 1));
        let mut other = Space::new(DataModel::Ilp32);
        assert!(other.take_over(space.given_out()));
        assert_eq!([2, 1].map(|pool| other.fresh(pool, &mut Frontier::default(), 0, 1)), [bases[1], bases[0]]);
        assert_ne!(other.fresh(3, &mut Frontier::default(), 0, 1), None);
        // Not if it has promised something else.
        let mut third = Space::new(DataModel::Ilp32);
        third.fresh(2, &mut Frontier::default(), 0, 1);
        assert!(!third.take_over(space.given_out()));
    }

    #[test]
    fn alignment_beyond_a_slot() {
        let mut space = Space::new(DataModel::Ilp32);
        let mut frontier = Frontier::default();
        space.fresh(1, &mut frontier, 0, 1);
        let base = space.fresh(1, &mut frontier, 0, 4096).expect("there is room");
        assert!(base.is_multiple_of(4096));
        assert_eq!(space.fresh(1, &mut frontier, 0, 1 << 30), None);
    }

    #[test]
    fn the_space_ends() {
        let mut space = Space::new(DataModel::Ilp32);
        let mut frontier = Frontier::default();
        let class = space.class(200 << 20);
        let blocks = (0..100).take_while(|_| space.fresh(1, &mut frontier, class, 1).is_some()).count();
        assert!((10..20).contains(&blocks), "{blocks}");
    }
}
