//! Addresses that have left their object.
//!
//! An address that is computed from the address of an object belongs to that object, wherever it leads. As long as it
//! stays in the object's slots (but for their last bytes), its number says so. One that leads further gets a
//! *substitute*: a number in a range of the address space where no object ever is. So every access through it fails,
//! whatever else lies where it would have led; and what is computed from it belongs to the object again and may come
//! back to it (`p - 1 + 1`). The number is all there is to it: it is stored, copied, compared and hashed like any
//! other.
//!
//! Substitutes are given out in windows: all addresses of one aligned range that belong to one object lie in one
//! window, at the same distance from its beginning. Windows for what leads below the object lie below all objects, the
//! others above all of them, so that `start - 1 < start` and `end < end + n` hold. Which window an object has for a
//! range is settled when first asked and never changes, in any execution.
//!
//! Integers know no object: what a program computes as a number, and turns into an address then, belongs to whatever
//! lies there.
use super::Memory;
use super::code::CodeLayout;
use frontend::ir::DataModel;
use por::Numbers;
use serde::{Deserialize, Serialize};

/// The substitutes for addresses that have left their object.
#[derive(Clone, Debug)]
pub(super) struct Strays {
    /// log2 of a window's bytes.
    window_bits: u32,
    reach: Reach,
    below: Side,
    above: Side,
}

/// The substitutes on one side of all objects.
#[derive(Clone, Debug)]
struct Side {
    /// The first address.
    begin: u64,
    /// The address of its last window, which is for all that do not fit: nothing is known of them.
    last: u64,
    /// What each window stands for, by its number.
    windows: Numbers<Range>,
}

/// An aligned range of addresses, as far as they belong to one object.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
struct Range {
    /// Where the object begins.
    home: u64,
    /// The first address.
    begin: u64,
}

/// The windows that were given out: what is never undone.
#[derive(Serialize, Deserialize)]
pub(super) struct Windows {
    below: Vec<Range>,
    above: Vec<Range>,
}

/// What an address in the range of substitutes stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Substitute {
    /// An address that belongs to the object that begins at `home`, outside of its slots.
    For {
        /// Where the object begins.
        home: u64,
        /// Where it would have led.
        address: u64,
    },
    /// One of which nothing is known, because there were too many windows.
    Lost,
}

/// The first address of an object: whatever is below is null, near to it, or a substitute.
pub(super) const fn first_address(model: DataModel) -> u64 {
    match model {
        DataModel::Lp64 => 1 << 32,
        DataModel::Ilp32 => 16 << 20,
    }
}

/// Where the substitutes above all objects begin. Code follows.
pub(super) const fn first_above(model: DataModel) -> u64 {
    match model {
        DataModel::Lp64 => CodeLayout::base(model) - (1 << 44),
        DataModel::Ilp32 => CodeLayout::base(model) - (1 << 28),
    }
}

/// Where the substitutes below all objects begin.
pub(super) const fn first_below(model: DataModel) -> u64 {
    match model {
        DataModel::Lp64 => 1 << 31,
        DataModel::Ilp32 => 1 << 20,
    }
}

impl Side {
    fn new(begin: u64, end: u64, window: u64) -> Self {
        Side { begin, last: end - window, windows: Numbers::default() }
    }

    /// The window for a range; the last one if there is no more room.
    fn window(&mut self, range: Range, bits: u32) -> u64 {
        let address = |number: u32| self.begin + (u64::from(number) << bits);
        if let Some(number) = self.windows.get(&range) {
            return address(number).min(self.last);
        }
        self.windows.catch_up();
        let is_full = self.begin + ((self.windows.all().len() as u64) << bits) >= self.last;
        if is_full && self.windows.get(&range).is_none() {
            return self.last;
        }
        // (Another worker may have taken the last one meanwhile.)
        (self.begin + (u64::from(self.windows.number(&range)) << bits)).min(self.last)
    }

    fn set(&mut self, windows: Vec<Range>) -> bool {
        let fits = windows.starts_with(self.windows.all());
        self.windows = Numbers::default();
        windows.iter().for_each(|range| {
            self.windows.number(range);
        });
        fits
    }
}

impl Strays {
    pub(super) fn new(model: DataModel, slot_bits: u32) -> Self {
        let window_bits = match model {
            DataModel::Lp64 => 20,
            DataModel::Ilp32 => 16,
        };
        Strays {
            window_bits,
            reach: Reach::new(slot_bits),
            below: Side::new(first_below(model), first_address(model), 1 << window_bits),
            above: Side::new(first_above(model), CodeLayout::base(model), 1 << window_bits),
        }
    }

    /// What the address stands for, if it is a substitute.
    pub(super) fn decode(&self, address: u64) -> Option<Substitute> {
        let side = if address >= self.above.begin { &self.above } else { &self.below };
        let window = address.checked_sub(side.begin)? >> self.window_bits;
        let begin = side.begin + (window << self.window_bits);
        if begin > side.last {
            return None;
        }
        let known = |range: &Range| Substitute::For { home: range.home, address: range.begin + (address - begin) };
        if begin == side.last {
            return Some(Substitute::Lost);
        }
        side.windows.all().get(usize::try_from(window).ok()?).map(known)
    }

    /// The substitute for an address that belongs to the object that begins at `home`.
    fn encode(&mut self, home: u64, address: u64) -> u64 {
        let within = address & ((1 << self.window_bits) - 1);
        let side = if address < home { &mut self.below } else { &mut self.above };
        side.window(Range { home, begin: address - within }, self.window_bits) + within
    }

    /// What is never undone.
    pub(super) fn windows(&self) -> Windows {
        let Strays { window_bits: _, reach: _, below, above } = self;
        Windows { below: below.windows.all().to_vec(), above: above.windows.all().to_vec() }
    }

    /// Takes over what was given out for the same program elsewhere. False if that cannot be.
    pub(super) fn take_over(&mut self, Windows { below, above }: Windows) -> bool {
        self.below.set(below) & self.above.set(above)
    }

    /// From now on the others, which have given out nothing yet, or the same, give out the same windows.
    pub(super) fn share(&mut self, other: &mut Strays) {
        other.below.windows = self.below.windows.shared();
        other.above.windows = self.above.windows.shared();
    }
}

/// Which addresses belong to the object of another one for certain, because both lie in one slot.
///
/// The last bytes of an object's slots are none for an address that was computed: there, too, it gets a substitute. So
/// a small positive offset to any such address does not lead into the slots of another object, and a small negative one
/// to no byte of it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reach {
    /// The bits that addresses of one slot have in common.
    slot: u64,
    /// The bytes of a slot without the last ones.
    within: u64,
    /// How many these are: less than follow every object.
    last: u64,
}

impl Reach {
    fn new(slot_bits: u32) -> Self {
        let size = 1 << slot_bits;
        let last = (size / 2).min(4096);
        Reach { slot: !(size - 1), within: size - last, last }
    }

    /// Whether an address that was computed from another one certainly is what the program gets.
    #[inline(always)]
    pub(crate) fn stays(self, base: u64, address: u64) -> bool {
        address.wrapping_sub(base & self.slot) < self.within
    }

    /// Whether the offset is small.
    pub(crate) fn spans(self, offset: i64) -> bool {
        offset.unsigned_abs() <= self.last
    }
}

impl Memory {
    /// Which addresses belong to the object of another one for certain.
    pub(crate) fn reach(&self) -> Reach {
        self.strays.reach
    }

    /// The bits that an address has.
    #[inline(always)]
    pub(crate) fn address_mask(&self) -> u64 {
        self.space.mask
    }

    /// The address that a program gets when it computes `address` from `base`: the same, unless it leads out of the
    /// slots of the object to which `base` belongs.
    #[inline(always)]
    pub(crate) fn derive(&mut self, base: u64, address: u64) -> u64 {
        if self.strays.reach.stays(base, address) { address } else { self.derive_far(base, address) }
    }

    /// The same, if no substitute is concerned.
    pub(crate) fn derived(&self, base: u64, address: u64) -> Option<u64> {
        if self.strays.reach.stays(base, address) {
            return Some(address);
        }
        let from = self.space.object(base);
        let plain = if from == 0 { self.strays.decode(base).is_none() } else { self.belongs(from, address) };
        plain.then_some(address)
    }

    #[inline(never)]
    fn derive_far(&mut self, base: u64, address: u64) -> u64 {
        let from = self.space.object(base);
        if from != 0 {
            if self.belongs(from, address) {
                return address;
            }
            return self.strays.encode(self.objects[from as usize].header.base, address);
        }
        match self.strays.decode(base) {
            None => address,
            Some(Substitute::Lost) => base,
            Some(Substitute::For { home, address: led_to }) => {
                let leads_to = led_to.wrapping_add(address.wrapping_sub(base)) & self.space.mask;
                let belongs = self.belongs(self.space.object(home), leads_to);
                if belongs { leads_to } else { self.strays.encode(home, leads_to) }
            }
        }
    }

    /// Whether an address lies in the object's slots, and not among their last bytes.
    fn belongs(&self, object: u32, address: u64) -> bool {
        let last = address.wrapping_add(self.strays.reach.last);
        self.space.object(address) == object && self.space.object(last) == object
    }

    /// The object to which an address belongs, and the address that it would be without a substitute; 0 for none.
    pub(super) fn owner(&self, address: u64) -> (usize, u64) {
        match self.strays.decode(address) {
            Some(Substitute::For { home, address }) => (self.space.object(home) as usize, address),
            Some(Substitute::Lost) | None => (self.space.object(address) as usize, address),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{by, empty, heap};
    use super::super::{Problem, Quarantine};
    use super::*;
    use crate::memory::{AccessError, Attempt};
    use crate::race::RaceModel;

    const MODELS: [DataModel; 2] = [DataModel::Lp64, DataModel::Ilp32];

    fn two_blocks(model: DataModel) -> (Memory, u64, u64) {
        let mut memory = Memory::new(&empty(model), RaceModel::C11, Quarantine::long(model), 0);
        memory.race.start(por::ThreadId(0));
        let [first, second] = [100, 4000].map(|size| memory.allocate(&by(0), heap(size)).expect("fits"));
        (memory, first, second)
    }

    #[test]
    fn what_leaves_its_object_meets_no_other_one_and_comes_back() {
        for model in MODELS {
            let (mut memory, first, second) = two_blocks(model);
            for (from, to) in [(first, second), (second, first), (second, first + 99), (first, second + 3999)] {
                let astray = memory.derive(from, to);
                assert_ne!(astray, to);
                assert_eq!(astray < from, to < from, "the order is kept");
                let Err(AccessError::Memory(error)) = memory.load(&by(0), astray, 1) else { panic!("{model:?}") };
                assert_eq!(error.problem, Problem::OutOfBounds { offset: to.wrapping_sub(from) as i64 });
                assert!(memory.locate(Attempt::Write, astray, 1).is_err());
                // On and on, and back, in steps of all sizes.
                for step in [1u64, 7, 300, 70_000, 3 << 20] {
                    let mut at = astray;
                    for _ in 0..5 {
                        at = memory.derive(at, at.wrapping_add(step) & memory.space.mask);
                    }
                    for _ in 0..5 {
                        at = memory.derive(at, at.wrapping_sub(step) & memory.space.mask);
                    }
                    assert_eq!(at, astray, "{model:?} {step}");
                }
                let back = from.wrapping_sub(to).wrapping_add(5);
                assert_eq!(memory.derive(astray, astray.wrapping_add(back) & memory.space.mask), from + 5);
            }
        }
    }

    #[test]
    fn nothing_is_said_of_numbers() {
        for model in MODELS {
            let (mut memory, first, _) = two_blocks(model);
            assert_eq!(memory.derive(0, first), first);
            assert_eq!(memory.derive(first, first + 100), first + 100);
            assert_eq!(
                memory.derive(CodeLayout::base(model), CodeLayout::base(model) + 4),
                CodeLayout::base(model) + 4
            );
        }
    }

    #[test]
    fn where_windows_end_nothing_is_known() {
        let (mut memory, first, second) = two_blocks(DataModel::Ilp32);
        // One window for each 64 KiB.
        for i in 0..5000 {
            memory.derive(first, first + (100 << 20) + i * (1 << 16));
        }
        let lost = memory.derive(second, second + (900 << 20));
        assert_eq!(memory.strays.decode(lost), Some(Substitute::Lost));
        assert!(matches!(memory.load(&by(0), lost, 1), Err(AccessError::Unknown(_))));
        assert_eq!(memory.derive(lost, lost + (1 << 30)), lost);
    }

    #[test]
    fn windows_are_those_of_the_memory_taken_over() {
        let (mut memory, first, second) = two_blocks(DataModel::Lp64);
        let strays = [memory.derive(first, second), memory.derive(second, first)];
        let (mut other, ..) = two_blocks(DataModel::Lp64);
        assert!(other.strays.take_over(memory.strays.windows()));
        assert_eq!([other.derive(second, first), other.derive(first, second)], [strays[1], strays[0]]);
        let (mut third, ..) = two_blocks(DataModel::Lp64);
        third.derive(first, second + (1 << 30));
        assert!(!third.strays.take_over(memory.strays.windows()));
    }
}
