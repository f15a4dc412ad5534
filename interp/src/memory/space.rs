//! The address space: which object an address belongs to, and where new objects go.
//!
//! The space is cut into *slots* (1 MiB on LP64, 256 bytes on ILP32); an object takes one or several whole slots, at
//! least half a slot more than its size and the distance at which it begins in them: whatever runs past its end meets
//! nothing for a while. 4096 slots are an *extent*; a thread gets extents as it needs them, so that its addresses
//! depend on nothing but its own allocations and frees. Which extents are a thread's is settled when first asked and
//! never changes, in any execution. The first extents stay empty: null and what is near it is never mapped, nor what
//! stands for addresses that have left their object (see the module `stray`).
//!
//! Where in its first slot an object begins, and whether later objects lie above or below, is a matter of the *layout*,
//! which has a number. The lower bits of addresses vary as those of an allocator do, in steps of 16 bytes; they are a
//! function of the slot and of that number, so that they depend on nothing else either. Bytes in front of an object, in
//! its first slot, belong to it like those behind: an address there is out of its bounds.
//!
//! An object that takes more than an extent has a run of extents of its own, from the other end of the space. Such
//! objects are looked up in a map, so that one of a terabyte costs no more than one of a byte.
//!
//! A dead object's slots are used again, for objects of the same kind and size class, after a quarantine: the dead wait
//! in one queue per thread and kind until enough of them have died later. A block freed by another thread than its own
//! is used again only once its own thread knows of the free, by happens-before, and only where quarantines are short:
//! otherwise the address of the owner's next block would depend on which of two independent steps came first. So who
//! knows of such a free is a part of the state, see [`crate::race`], whose journal tells of it.
use super::stray::{first_above, first_address};
use frontend::ir::DataModel;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

pub(super) const EXTENT_SLOTS: u64 = 4096;

/// The slots at the beginning of a run that stay empty, so that addresses are far from what numbers in a program's
/// memory look like (on LP64 the number of an extent is that of a small integer beside a zero): a leak would not be
/// seen.
const EMPTY_SLOTS: u64 = 37;

/// Every object begins at a multiple of this at least.
const STEP: u64 = 16;

/// Where objects lie.
#[derive(Clone, Debug)]
pub(super) struct Space {
    /// The bits that an address has.
    pub(super) mask: u64,
    /// The first address that an object may have.
    pub(super) first: u64,
    /// log2 of a slot's bytes.
    pub(super) slot_bits: u32,
    /// In how many of the first bytes of its slots an object may begin: a power of two.
    spread: u64,
    /// The number of the layout. In those with an odd one, objects come to lie below earlier ones.
    layout: u32,
    /// For each slot of the extents given out one by one, the object; 0 is none.
    slots: Vec<u32>,
    /// The objects of more than an extent: by the first slot, the end of their slots and the object.
    huge: BTreeMap<u64, (u64, u32)>,
    /// The first extent of each run of extents ever given out. Never undone.
    runs: FxHashMap<Run, u64>,
    /// Single extents given out so far come before this one. Never undone.
    next_extent: u64,
    /// Longer runs given out so far begin at this one. Never undone.
    last_extent: u64,
    /// Number of extents before the substitutes above all objects.
    extents: u64,
    /// What was given out by all spaces that have it in common, if there are others.
    common: Option<Arc<Mutex<GivenOut>>>,
}

/// A run of extents: pool, ordinal within the pool, and length.
pub(super) type Run = (u32, u32, u64);

/// Which extents were given out to which threads. This is never undone.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct GivenOut {
    /// Sorted.
    runs: Vec<(Run, u64)>,
    next_extent: u64,
    last_extent: u64,
}

/// Where the next fresh object of a pool goes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub(super) struct Frontier {
    /// The slots of the current run that are not used yet, and the end of these.
    next: u64,
    end: u64,
    /// Runs asked for so far.
    runs: u32,
}

impl Space {
    pub(super) fn new(model: DataModel, layout: u32) -> Self {
        let (slot_bits, spread) = match model {
            DataModel::Lp64 => (20, 1 << 16),
            DataModel::Ilp32 => (8, 1 << 8),
        };
        let next_extent = (first_address(model) >> slot_bits) / EXTENT_SLOTS;
        let extents = (first_above(model) >> slot_bits) / EXTENT_SLOTS;
        Space {
            mask: u64::MAX >> (64 - 8 * model.pointer_bytes()),
            first: first_address(model),
            slot_bits,
            spread,
            layout,
            slots: vec![0; (next_extent * EXTENT_SLOTS) as usize],
            huge: BTreeMap::new(),
            runs: FxHashMap::default(),
            next_extent,
            last_extent: extents,
            extents,
            common: None,
        }
    }

    /// The object whose slots hold the address; 0 if none.
    #[inline]
    pub(super) fn object(&self, address: u64) -> u32 {
        self.find(address).unwrap_or_else(|| self.huge_object(address))
    }

    /// The same; `None` for an address beyond all extents that were given out one by one.
    #[inline]
    pub(super) fn find(&self, address: u64) -> Option<u32> {
        self.slots.get((address >> self.slot_bits) as usize).copied()
    }

    #[cold]
    fn huge_object(&self, address: u64) -> u32 {
        let slot = address >> self.slot_bits;
        match self.huge.range(..=slot).next_back() {
            Some((_, (end, object))) if slot < *end => *object,
            _ => 0,
        }
    }

    /// How far `address` is behind `base`; negative if it is in front of it.
    pub(super) fn distance(&self, base: u64, address: u64) -> i64 {
        let spare = self.mask.leading_zeros();
        (address.wrapping_sub(base) << spare).cast_signed() >> spare
    }

    /// Whether two addresses lie in one slot.
    #[inline]
    pub(super) fn share_slot(&self, a: u64, b: u64) -> bool {
        (a ^ b) >> self.slot_bits == 0
    }

    /// The first address above all objects.
    pub(super) fn above(&self) -> u64 {
        (self.extents * EXTENT_SLOTS) << self.slot_bits
    }

    /// How many bits addresses have.
    pub(super) fn address_bits(&self) -> u32 {
        // The code lies behind all objects.
        ((self.extents * EXTENT_SLOTS) << self.slot_bits).ilog2() + 1
    }

    /// The size class of an object: the smallest with enough slots.
    pub(super) fn class(&self, size: u64) -> u8 {
        let half = 1 << (self.slot_bits - 1);
        let slots = ((size + half + self.spread) >> self.slot_bits) + 1;
        (0..).find(|&class| class_slots(class) >= slots).expect("there is a class for every size")
    }

    /// Slots for an object of that class at a multiple of `align`, beyond everything the pool has used; the first
    /// address. `None` when the address space is full.
    pub(super) fn fresh(&mut self, pool: u32, frontier: &mut Frontier, class: u8, align: u64) -> Option<u64> {
        let slots = class_slots(class);
        let step = (align >> self.slot_bits).max(1);
        let start = match self.room(frontier, slots, step) {
            Some(start) => start,
            None => {
                // Extents lie at multiples of their own size; more than that is not given.
                if step > EXTENT_SLOTS {
                    return None;
                }
                let first = EMPTY_SLOTS.next_multiple_of(step);
                let extents = (first + slots.next_multiple_of(step)).div_ceil(EXTENT_SLOTS);
                let run = self.run(pool, frontier.runs, extents)? * EXTENT_SLOTS;
                frontier.runs += 1;
                let fresh = Frontier { next: run + EMPTY_SLOTS, end: run + extents * EXTENT_SLOTS, ..*frontier };
                let start = self.room(&fresh, slots, step).expect("the run is long enough");
                if extents > 1 {
                    // What is left of it stays empty.
                    return Some((start << self.slot_bits) + self.offset(start, align));
                }
                *frontier = fresh;
                start
            }
        };
        match self.descends() {
            false => frontier.next = start + slots,
            true => frontier.end = start,
        }
        Some((start << self.slot_bits) + self.offset(start, align))
    }

    /// The first of so many slots, a multiple of `step`, at the end of the frontier where the next object goes.
    fn room(&self, frontier: &Frontier, slots: u64, step: u64) -> Option<u64> {
        let start = match self.descends() {
            false => frontier.next.next_multiple_of(step),
            true => frontier.end.checked_sub(slots)? / step * step,
        };
        (frontier.next <= start && start + slots <= frontier.end).then_some(start)
    }

    /// Whether objects come to lie below earlier ones.
    fn descends(&self) -> bool {
        self.layout % 2 == 1
    }

    /// How far behind the beginning of its first slot an object begins: a multiple of its alignment and of [`STEP`].
    fn offset(&self, slot: u64, align: u64) -> u64 {
        let mixed = (slot ^ u64::from(self.layout) << 40).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mixed = (mixed ^ mixed >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93) >> 32;
        mixed & (self.spread - 1) & !(align.max(STEP) - 1)
    }

    /// The first address behind the slots of an object.
    pub(super) fn end(&self, base: u64, class: u8) -> u64 {
        ((base >> self.slot_bits) + class_slots(class)) << self.slot_bits
    }

    /// The last address in front of them.
    pub(super) fn before(&self, base: u64) -> u64 {
        (base >> self.slot_bits << self.slot_bits) - 1
    }

    /// Notes that the slots from `base` belong to that object (0: no object).
    pub(super) fn assign(&mut self, base: u64, class: u8, object: u32) {
        let first = base >> self.slot_bits;
        let end = first + class_slots(class);
        match self.slots.get_mut(first as usize..end as usize) {
            Some(slots) => slots.fill(object),
            None if object == 0 => {
                self.huge.remove(&first);
            }
            None => {
                self.huge.insert(first, (end, object));
            }
        }
    }

    /// What is never undone.
    pub(super) fn given_out(&self) -> GivenOut {
        let Space {
            runs,
            next_extent,
            last_extent,
            // These follow from the data model and the options.
            mask: _,
            first: _,
            slot_bits: _,
            spread: _,
            layout: _,
            extents: _,
            common: _,
            // Which object a slot has is a matter of the execution.
            slots: _,
            huge: _,
        } = self;
        let mut runs: Vec<(Run, u64)> = runs.iter().map(|(run, first)| (*run, *first)).collect();
        runs.sort_unstable();
        GivenOut { runs, next_extent: *next_extent, last_extent: *last_extent }
    }

    /// The runs in an order in which another space gives out the same.
    pub(super) fn runs(&self) -> Vec<Run> {
        let mut runs: Vec<(Run, u64)> = self.runs.iter().map(|(run, first)| (*run, *first)).collect();
        // (Single extents from the beginning on, longer runs from the end.)
        runs.sort_unstable_by_key(|((.., length), first)| if *length == 1 { *first } else { u64::MAX - first });
        runs.into_iter().map(|(run, _)| run).collect()
    }

    /// Gives out these runs, as far as that was not done. False if there is no room, or one is none.
    pub(super) fn give_out_all(&mut self, runs: &[Run]) -> bool {
        runs.iter().all(|(pool, ordinal, length)| *length > 0 && self.run(*pool, *ordinal, *length).is_some())
    }

    /// Takes over what another space for the same program has given out. False if that cannot be.
    pub(super) fn take_over(&mut self, given_out: GivenOut) -> bool {
        let GivenOut { runs, next_extent, last_extent } = given_out;
        let runs = FxHashMap::from_iter(runs);
        let known = self.runs.iter().all(|(run, first)| runs.get(run) == Some(first));
        let fits = |((.., length), first): (&Run, &u64)| match length {
            1 => *first < next_extent,
            length => *first >= last_extent && first + length <= self.extents,
        };
        if !known || next_extent > last_extent || last_extent > self.extents || !runs.iter().all(fits) {
            return false;
        }
        (self.runs, self.next_extent, self.last_extent) = (runs, next_extent, last_extent);
        self.slots.resize((next_extent * EXTENT_SLOTS) as usize, 0);
        true
    }

    /// The first of `length` extents in a row.
    fn run(&mut self, pool: u32, ordinal: u32, length: u64) -> Option<u64> {
        if let Some(&first) = self.runs.get(&(pool, ordinal, length)) {
            return Some(first);
        }
        let Some(common) = self.common.clone() else { return self.give_out((pool, ordinal, length)) };
        // What others have given out comes first.
        let mut common = common.lock().unwrap_or_else(PoisonError::into_inner);
        (self.next_extent, self.last_extent) = (common.next_extent, common.last_extent);
        self.slots.resize((self.next_extent * EXTENT_SLOTS) as usize, 0);
        self.runs.extend(common.runs[self.runs.len()..].iter().copied());
        if let Some(&first) = self.runs.get(&(pool, ordinal, length)) {
            return Some(first);
        }
        let first = self.give_out((pool, ordinal, length))?;
        common.runs.push(((pool, ordinal, length), first));
        (common.next_extent, common.last_extent) = (self.next_extent, self.last_extent);
        Some(first)
    }

    /// From now on the other space, which has given out nothing that this one has not, gives out the same.
    pub(super) fn share(&mut self, other: &mut Space) {
        let given_out = self.given_out();
        let common = Arc::clone(self.common.get_or_insert_with(|| Arc::new(Mutex::new(given_out))));
        other.runs.clone_from(&self.runs);
        (other.next_extent, other.last_extent) = (self.next_extent, self.last_extent);
        other.slots.resize((other.next_extent * EXTENT_SLOTS) as usize, 0);
        other.common = Some(common);
    }

    /// Gives out a new run of extents.
    fn give_out(&mut self, run: Run) -> Option<u64> {
        let (.., length) = run;
        if length > self.last_extent - self.next_extent {
            return None;
        }
        let first = match length {
            1 => {
                // They are given out in the order of their addresses, so the table has no holes.
                self.next_extent += 1;
                self.slots.resize((self.next_extent * EXTENT_SLOTS) as usize, 0);
                self.next_extent - 1
            }
            _ => {
                self.last_extent -= length;
                self.last_extent
            }
        };
        self.runs.insert(run, first);
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
    fn what_is_given_out_in_one_order_stays_there_in_another() {
        let order = [(7, 0, 1), (2, 0, 3), (1, 0, 1), (2, 1, 1), (7, 1, 9)];
        let [mut one, mut other] = [(); 2].map(|()| Space::new(DataModel::Lp64, 0));
        let firsts = order.map(|(pool, ordinal, length)| one.run(pool, ordinal, length));
        assert!(other.give_out_all(&one.runs()) && !other.give_out_all(&[(8, 0, 0)]));
        let last_first = order.iter().zip(firsts).rev();
        last_first.for_each(|((pool, ordinal, length), first)| assert_eq!(other.run(*pool, *ordinal, *length), first));
    }

    #[test]
    fn objects_never_touch_their_neighbours() {
        for (model, layout) in
            [DataModel::Lp64, DataModel::Ilp32].into_iter().flat_map(|model| [(model, 0), (model, 1)])
        {
            let mut space = Space::new(model, layout);
            let mut frontier = Frontier::default();
            let slot = 1u64 << space.slot_bits;
            let mut taken: Vec<(u64, u64)> = Vec::new();
            for size in [0, 1, 100, slot - 1, slot, slot + 1, 3 * slot, 5000 * slot, 7] {
                let class = space.class(size);
                let base = space.fresh(1, &mut frontier, class, 1).expect("there is room");
                let end = base + size + slot / 2;
                assert!(taken.iter().all(|(first, last)| end <= *first || *last <= base), "{model:?} {layout} {size}");
                assert!(end <= space.end(base, class) && base.is_multiple_of(STEP));
                taken.push((base, end));
            }
        }
    }

    #[test]
    fn lower_bits_and_order_are_those_of_the_layout() {
        for model in [DataModel::Lp64, DataModel::Ilp32] {
            let bases = |layout| {
                let (mut space, mut frontier) = (Space::new(model, layout), Frontier::default());
                (0..64).map(|_| space.fresh(1, &mut frontier, 0, 1).expect("there is room")).collect::<Vec<u64>>()
            };
            for layout in 0..4 {
                let bases = bases(layout);
                for bit in 4..8 {
                    let set = bases.iter().filter(|base| *base >> bit & 1 == 1).count();
                    assert!((16..48).contains(&set), "{model:?} {layout} {bit}: {set}");
                }
                let ascends = bases.is_sorted();
                let descends = bases.iter().rev().is_sorted();
                assert_eq!((ascends, descends), (layout % 2 == 0, layout % 2 == 1));
            }
            assert_ne!(bases(0), bases(2));
            assert_eq!(bases(3), bases(3));
        }
    }

    #[test]
    fn alignment_within_a_slot() {
        let (mut space, mut frontier) = (Space::new(DataModel::Lp64, 0), Frontier::default());
        for align in [16, 64, 4096, 1 << 16, 1 << 20, 1 << 22] {
            let base = space.fresh(1, &mut frontier, 0, align).expect("there is room");
            assert!(base.is_multiple_of(align), "{align}");
        }
    }

    #[test]
    fn a_pool_is_settled_by_its_own_history() {
        let mut space = Space::new(DataModel::Ilp32, 0);
        let (mut one, mut two) = (Frontier::default(), Frontier::default());
        let a = space.fresh(1, &mut one, 0, 1);
        let b = space.fresh(2, &mut two, 0, 1);
        let (mut one, mut two) = (Frontier::default(), Frontier::default());
        assert_eq!(space.fresh(2, &mut two, 0, 1), b);
        assert_eq!(space.fresh(1, &mut one, 0, 1), a);
    }

    #[test]
    fn a_pool_is_settled_for_whoever_takes_over() {
        let mut space = Space::new(DataModel::Ilp32, 0);
        let bases = [1, 2].map(|pool| space.fresh(pool, &mut Frontier::default(), 0, 1));
        let mut other = Space::new(DataModel::Ilp32, 0);
        assert!(other.take_over(space.given_out()));
        assert_eq!([2, 1].map(|pool| other.fresh(pool, &mut Frontier::default(), 0, 1)), [bases[1], bases[0]]);
        assert_ne!(other.fresh(3, &mut Frontier::default(), 0, 1), None);
        // Not if it has promised something else.
        let mut third = Space::new(DataModel::Ilp32, 0);
        third.fresh(2, &mut Frontier::default(), 0, 1);
        assert!(!third.take_over(space.given_out()));
    }

    #[test]
    fn pools_are_settled_for_all_that_share_them() {
        let mut one = Space::new(DataModel::Ilp32, 0);
        let first = one.fresh(1, &mut Frontier::default(), 0, 1);
        let (mut two, mut three) = (Space::new(DataModel::Ilp32, 0), Space::new(DataModel::Ilp32, 0));
        one.share(&mut two);
        one.share(&mut three);
        let ask = |space: &mut Space, pool, slots: u64| {
            let class = space.class(slots * 256);
            let base = space.fresh(pool, &mut Frontier::default(), class, 1).expect("there is room");
            space.assign(base, class, pool);
            assert_eq!(space.object(base), pool);
            base
        };
        let large = 5_000;
        let all = [(2, 1, ask(&mut two, 2, 1)), (3, large, ask(&mut three, 3, large)), (4, 1, ask(&mut two, 4, 1))];
        for (pool, slots, base) in all {
            for space in [&mut one, &mut two, &mut three] {
                assert_eq!(ask(space, pool, slots), base, "{pool}");
            }
        }
        assert_eq!(three.fresh(1, &mut Frontier::default(), 0, 1), first);
    }

    #[test]
    fn alignment_beyond_a_slot() {
        let mut space = Space::new(DataModel::Ilp32, 0);
        let mut frontier = Frontier::default();
        space.fresh(1, &mut frontier, 0, 1);
        let base = space.fresh(1, &mut frontier, 0, 4096).expect("there is room");
        assert!(base.is_multiple_of(4096));
        assert_eq!(space.fresh(1, &mut frontier, 0, 1 << 30), None);
    }

    #[test]
    fn the_space_ends() {
        let mut space = Space::new(DataModel::Ilp32, 0);
        let mut frontier = Frontier::default();
        let class = space.class(200 << 20);
        let blocks = (0..100).take_while(|_| space.fresh(1, &mut frontier, class, 1).is_some()).count();
        assert!((10..20).contains(&blocks), "{blocks}");
    }
}
