//! The states that are known: a table with open addressing.
//!
//! Of each state there are the 128 bits of its fingerprint, which are all that is compared, and 32 bits of notes beside
//! them, so that both are mostly in one line of the cache. The table is in [`PARTS`] parts, each of which grows on its
//! own, by a quarter, when more than five sixths of it are full. So a slot of 20 bytes is full with odds of two thirds
//! at least, a state takes 30 bytes at most, and while a part is copied there is only that one twice. (As long as there
//! are few states, the first slots of the parts count: that is [`PARTS`] times [`FIRST`] slots.)
//!
//! **Fewer bits.** On request only 64 or 32 bits of a fingerprint are kept ([`StateBits`], hash compaction): the lower
//! ones. A slot has 12 or 8 bytes then, and in a part only these bits are compared; which part it is tells 8 bits more.
//!
//! **The odds of a collision.** The fingerprints of n different states are taken to be n random numbers of 128 bits.
//! Two of them are the same with odds of at most n² / 2¹²⁹: 10⁻²¹ for 10⁹ states. There is no second check: a collision
//! would hide a state.
use super::prefetch::prefetch;
use super::sleep::Threads;
use crate::options::StateBits;

/// How many bits of a fingerprint say in which part of the table it is: the upper ones.
pub(crate) const PART_BITS: u32 = 8;

/// Into how many parts the table is divided.
const PARTS: usize = 1 << PART_BITS;

/// How many slots a part has at first.
const FIRST: usize = 16;

/// What is known of a state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Known {
    /// It is on the way to the current one. Else everything behind it was seen.
    pub(crate) on_the_way: bool,
    /// Something changes behind it that is more than where a thread stands: it is no livelock.
    pub(crate) leads_out: bool,
    /// The threads that were never taken from there.
    pub(crate) asleep: Threads,
}

/// The bits of a note that say [`Known::on_the_way`] and [`Known::leads_out`]; the others are the threads.
const ON_THE_WAY: u32 = 1 << 31;
const LEADS_OUT: u32 = 1 << 30;

impl Known {
    fn note(self) -> u32 {
        let bit = |is_set, bit| if is_set { bit } else { 0 };
        self.asleep.bits() | bit(self.on_the_way, ON_THE_WAY) | bit(self.leads_out, LEADS_OUT)
    }

    fn of(note: u32) -> Self {
        let (on_the_way, leads_out) = (note & ON_THE_WAY != 0, note & LEADS_OUT != 0);
        Known { on_the_way, leads_out, asleep: Threads::of(note) }
    }
}

/// What is known of each state, by its fingerprint.
pub(crate) struct Table(Parts);

/// The parts, in slots that have room for so many bits.
enum Parts {
    All(Vec<Part<4>>),
    Half(Vec<Part<2>>),
    Quarter(Vec<Part<1>>),
}

/// The slots of fingerprints that begin with the same bits. Of the others, as many are kept as so many words of 32 bits
/// hold.
#[derive(Clone, Default)]
struct Part<const WORDS: usize> {
    slots: Vec<Slot<WORDS>>,
    full: usize,
}

/// The lower bits of a fingerprint in words, so that the note takes no room beside its own; 0 if there is none.
#[derive(Clone, Copy)]
struct Slot<const WORDS: usize> {
    words: [u32; WORDS],
    note: u32,
}

impl Table {
    /// No state is known.
    pub(crate) fn new(bits: StateBits) -> Self {
        Table(match bits {
            StateBits::All => Parts::All(vec![Part::default(); PARTS]),
            StateBits::Half => Parts::Half(vec![Part::default(); PARTS]),
            StateBits::Quarter => Parts::Quarter(vec![Part::default(); PARTS]),
        })
    }

    /// What is known of the state. If that is nothing, this is known of it from now on.
    pub(crate) fn meet(&mut self, state: u128, new: Known) -> Option<Known> {
        let note = match &mut self.0 {
            Parts::All(parts) => parts[part(state)].meet(state, new.note()),
            Parts::Half(parts) => parts[part(state)].meet(state, new.note()),
            Parts::Quarter(parts) => parts[part(state)].meet(state, new.note()),
        };
        note.map(Known::of)
    }

    /// Says something else of a state that is known.
    pub(crate) fn change(&mut self, state: u128, known: Known) {
        *self.note(state) = known.note();
    }

    /// The state is not on the way any more, and leads out or not, as far as is known.
    pub(crate) fn leave(&mut self, state: u128, leads_out: bool) {
        let note = self.note(state);
        *note &= !ON_THE_WAY;
        *note |= if leads_out { LEADS_OUT } else { 0 };
    }

    /// The note of a state that is known.
    fn note(&mut self, state: u128) -> &mut u32 {
        match &mut self.0 {
            Parts::All(parts) => parts[part(state)].note(state),
            Parts::Half(parts) => parts[part(state)].note(state),
            Parts::Quarter(parts) => parts[part(state)].note(state),
        }
    }

    /// The state will be asked for soon.
    #[inline]
    pub(crate) fn fetch(&self, state: u128) {
        match &self.0 {
            Parts::All(parts) => parts[part(state)].fetch(state),
            Parts::Half(parts) => parts[part(state)].fetch(state),
            Parts::Quarter(parts) => parts[part(state)].fetch(state),
        }
    }

    /// About how many bytes it takes.
    pub(crate) fn bytes(&self) -> usize {
        match &self.0 {
            Parts::All(parts) => parts.iter().map(Part::bytes).sum(),
            Parts::Half(parts) => parts.iter().map(Part::bytes).sum(),
            Parts::Quarter(parts) => parts.iter().map(Part::bytes).sum(),
        }
    }
}

/// The part of a fingerprint.
fn part(state: u128) -> usize {
    (state >> (u128::BITS - PART_BITS)) as usize
}

impl<const WORDS: usize> Default for Slot<WORDS> {
    fn default() -> Self {
        Slot { words: [0; WORDS], note: 0 }
    }
}

impl<const WORDS: usize> Slot<WORDS> {
    /// What is kept of a state.
    fn words(state: u128) -> [u32; WORDS] {
        let mut words = [0; WORDS];
        for (index, word) in words.iter_mut().enumerate() {
            *word = (state >> (32 * index)) as u32;
        }
        // (That is free slots.)
        if words == [0; WORDS] {
            words[0] = 1;
        }
        words
    }

    fn is_free(&self) -> bool {
        self.words == [0; WORDS]
    }
}

impl<const WORDS: usize> Part<WORDS> {
    fn meet(&mut self, state: u128, note: u32) -> Option<u32> {
        let words = Slot::words(state);
        match self.find(&words) {
            Ok(slot) => Some(self.slots[slot].note),
            Err(slot) => {
                self.insert(Slot { words, note }, slot);
                None
            }
        }
    }

    fn note(&mut self, state: u128) -> &mut u32 {
        let slot = self.find(&Slot::words(state)).expect("only what is known of a known state changes");
        &mut self.slots[slot].note
    }

    fn bytes(&self) -> usize {
        self.slots.capacity() * size_of::<Slot<WORDS>>()
    }

    /// The slot where this is, or else where it has to be put.
    fn find(&self, words: &[u32; WORDS]) -> Result<usize, usize> {
        let slots = self.slots.len();
        if slots == 0 {
            return Err(0);
        }
        let mut slot = Self::first(words, slots);
        loop {
            match &self.slots[slot] {
                free if free.is_free() => return Err(slot),
                other if other.words == *words => return Ok(slot),
                _ => slot = if slot + 1 == slots { 0 } else { slot + 1 },
            }
        }
    }

    /// The slot, of so many, where this is looked for first.
    #[inline]
    fn first(words: &[u32; WORDS], slots: usize) -> usize {
        // The lower 64 bits, as far as they are kept, as a fraction of all their values, of the slots.
        let low = u64::from(words[0]) << 32 | words.get(1).map_or(0, |word| u64::from(*word));
        ((u128::from(low) * slots as u128) >> 64) as usize
    }

    #[inline]
    fn fetch(&self, state: u128) {
        if let Some(slot) = self.slots.get(Self::first(&Slot::words(state), self.slots.len())) {
            prefetch(slot);
        }
    }

    fn insert(&mut self, new: Slot<WORDS>, slot: usize) {
        let slot = if (self.full + 1) * 6 > self.slots.len() * 5 {
            self.grow();
            self.find(&new.words).expect_err("it is not there yet")
        } else {
            slot
        };
        self.slots[slot] = new;
        self.full += 1;
    }

    fn grow(&mut self) {
        let slots = (self.slots.len() + self.slots.len() / 4).max(FIRST);
        let old = std::mem::replace(&mut self.slots, vec![Slot::default(); slots]);
        for old in old.into_iter().filter(|slot| !slot.is_free()) {
            // (Each is there once, so that none is compared.)
            let mut slot = Self::first(&old.words, slots);
            while !self.slots[slot].is_free() {
                slot = if slot + 1 == slots { 0 } else { slot + 1 };
            }
            self.slots[slot] = old;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustc_hash::FxHashMap;

    fn known(bits: u32) -> Known {
        Known { on_the_way: bits & 1 != 0, leads_out: bits & 2 != 0, asleep: Threads::of(bits >> 2) }
    }

    /// Numbers whose halves are far from random: small ones, and those that meet in the same slots.
    fn numbers() -> impl Iterator<Item = u128> {
        let mixed = |i: u128| i.wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835) ^ i << 77;
        (0..400).chain((0..400).map(|i| u128::MAX - i)).chain((0..3000).map(mixed))
    }

    #[test]
    fn it_is_a_map() {
        let (mut table, mut map) = (Table::new(StateBits::All), FxHashMap::default());
        for (i, number) in numbers().enumerate().filter(|(_, number)| *number != 0) {
            let first = known(i as u32);
            assert_eq!(table.meet(number, first), map.get(&number).copied());
            map.entry(number).or_insert(first);
            if i % 3 == 0 {
                let second = known(!(i as u32));
                table.change(number, second);
                map.insert(number, second);
            }
        }
        let nothing = Known { on_the_way: false, leads_out: false, asleep: Threads::default() };
        for (number, expected) in map {
            assert_eq!(table.meet(number, nothing), Some(expected));
        }
    }

    /// Random numbers, as fingerprints are.
    fn random() -> impl Iterator<Item = u128> {
        let next = |random: &u128| Some(random.wrapping_mul(0x2360_ed05_1fc6_5da4_4385_df64_9fcc_f645).wrapping_add(1));
        std::iter::successors(Some(1u128), next).map(|random| {
            let mixed = (random ^ random >> 64).wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835);
            mixed ^ mixed >> 61
        })
    }

    #[test]
    fn a_state_takes_at_most_32_bytes() {
        for (bits, most) in [(StateBits::All, 32), (StateBits::Half, 20), (StateBits::Quarter, 13)] {
            let mut table = Table::new(bits);
            for (state, count) in random().zip(1..=300_000usize) {
                table.meet(state, known(0));
                if count >= 50_000 && count.is_multiple_of(1_000) {
                    let bytes = table.bytes();
                    assert!(bytes <= most * count, "{bytes} bytes for {count} states");
                }
            }
        }
    }

    /// What is kept tells states apart, and nothing else does: with 40 bits, about n²/2⁴¹ of n states are taken for
    /// other ones (11.4 of five million; more than 30 of these have odds of 10⁻⁶).
    #[test]
    fn fewer_bits_tell_fewer_states_apart() {
        let nothing = Known { on_the_way: false, leads_out: false, asleep: Threads::default() };
        for (bits, count, least, most) in [(StateBits::Half, 1_000_000, 0, 0), (StateBits::Quarter, 5_000_000, 1, 30)] {
            let mut table = Table::new(bits);
            let lost = random().take(count).filter(|state| table.meet(*state, nothing).is_some()).count();
            assert!((least..=most).contains(&lost), "{lost} with {bits:?}");
        }
        let mut table = Table::new(StateBits::Half);
        assert_eq!(table.meet(5, known(3)), None);
        assert_eq!(table.meet(5 | 1 << 64, known(0)), Some(known(3)), "the bits in which they differ are not kept");
        assert_eq!(table.meet(5 | 1 << 127, known(0)), None, "they are in different parts");
    }
}
