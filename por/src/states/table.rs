//! The states that are known: a table with open addressing.
//!
//! Of each state there are the 128 bits of its fingerprint, which are all that is compared, and 32 bits of notes. The
//! table is in [`PARTS`] parts, each of which grows on its own, by a quarter, when more than five sixths of it are
//! full. So a slot of 20 bytes is full with odds of two thirds at least, a state takes 30 bytes at most, and while a
//! part is copied there is only that one twice. (As long as there are few states, the first slots of the parts count:
//! that is [`PARTS`] times [`FIRST`] slots.)
//!
//! **The odds of a collision.** The fingerprints of n different states are taken to be n random numbers of 128 bits.
//! Two of them are the same with odds of at most n² / 2¹²⁹: 10⁻²¹ for 10⁹ states. There is no second check: a collision
//! would hide a state.
use super::sleep::Threads;

/// Into how many parts the table is divided.
const PARTS: usize = 256;

/// How many slots a part has at first.
const FIRST: usize = 16;

/// What is known of a state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Known {
    /// It is on the way to the current one. Else everything behind it was seen.
    pub(crate) on_the_way: bool,
    /// The threads that were never taken from there.
    pub(crate) asleep: Threads,
}

/// The bit of a note that says [`Known::on_the_way`]; the others are the threads.
const ON_THE_WAY: u32 = 1 << 31;

impl Known {
    fn note(self) -> u32 {
        self.asleep.bits() | if self.on_the_way { ON_THE_WAY } else { 0 }
    }

    fn of(note: u32) -> Self {
        Known { on_the_way: note & ON_THE_WAY != 0, asleep: Threads::of(note & !ON_THE_WAY) }
    }
}

/// What is known of each state, by its fingerprint.
pub(crate) struct Table {
    parts: Vec<Part>,
}

/// The slots of fingerprints that begin with the same bits. A slot without a fingerprint has 0.
#[derive(Clone, Default)]
struct Part {
    fingerprints: Vec<u128>,
    notes: Vec<u32>,
    full: usize,
}

impl Table {
    /// No state is known.
    pub(crate) fn new() -> Self {
        Table { parts: vec![Part::default(); PARTS] }
    }

    /// What is known of the state. If that is nothing, this is known of it from now on.
    pub(crate) fn meet(&mut self, state: u128, new: Known) -> Option<Known> {
        let state = state.max(1);
        let part = &mut self.parts[part(state)];
        match part.find(state) {
            Ok(slot) => Some(Known::of(part.notes[slot])),
            Err(slot) => {
                part.insert(state, new.note(), slot);
                None
            }
        }
    }

    /// Says something else of a state that is known.
    pub(crate) fn change(&mut self, state: u128, known: Known) {
        let state = state.max(1);
        let part = &mut self.parts[part(state)];
        let slot = part.find(state).expect("only what is known of a known state changes");
        part.notes[slot] = known.note();
    }

    /// The state is not on the way any more.
    pub(crate) fn leave(&mut self, state: u128) {
        let state = state.max(1);
        let part = &mut self.parts[part(state)];
        let slot = part.find(state).expect("a state on the way is known");
        part.notes[slot] &= !ON_THE_WAY;
    }

    /// About how many bytes it takes.
    pub(crate) fn bytes(&self) -> usize {
        self.parts.iter().map(|part| part.fingerprints.capacity() * (size_of::<u128>() + size_of::<u32>())).sum()
    }
}

/// The part of a fingerprint.
fn part(state: u128) -> usize {
    (state >> 120) as usize
}

impl Part {
    /// The slot where the fingerprint is, or else where it has to be put.
    fn find(&self, state: u128) -> Result<usize, usize> {
        let slots = self.fingerprints.len();
        if slots == 0 {
            return Err(0);
        }
        // The lower half of the fingerprint, as a fraction of all its values, of the slots.
        let mut slot = ((u128::from(state as u64) * slots as u128) >> 64) as usize;
        loop {
            match self.fingerprints[slot] {
                0 => return Err(slot),
                other if other == state => return Ok(slot),
                _ => slot = if slot + 1 == slots { 0 } else { slot + 1 },
            }
        }
    }

    fn insert(&mut self, state: u128, note: u32, slot: usize) {
        let slots = self.fingerprints.len();
        let slot = if (self.full + 1) * 6 > slots * 5 {
            self.grow();
            self.find(state).expect_err("it is not there yet")
        } else {
            slot
        };
        (self.fingerprints[slot], self.notes[slot]) = (state, note);
        self.full += 1;
    }

    fn grow(&mut self) {
        let slots = (self.fingerprints.len() + self.fingerprints.len() / 4).max(FIRST);
        let old =
            std::mem::replace(self, Part { fingerprints: vec![0; slots], notes: vec![0; slots], full: self.full });
        for (state, note) in old.fingerprints.into_iter().zip(old.notes).filter(|(state, _)| *state != 0) {
            let slot = self.find(state).expect_err("each is there once");
            (self.fingerprints[slot], self.notes[slot]) = (state, note);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustc_hash::FxHashMap;

    fn known(bits: u32) -> Known {
        Known { on_the_way: bits & 1 != 0, asleep: Threads::of(bits >> 1) }
    }

    /// Numbers whose halves are far from random: small ones, and those that meet in the same slots.
    fn numbers() -> impl Iterator<Item = u128> {
        let mixed = |i: u128| i.wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835) ^ i << 77;
        (0..400).chain((0..400).map(|i| u128::MAX - i)).chain((0..3000).map(mixed))
    }

    #[test]
    fn it_is_a_map() {
        let (mut table, mut map) = (Table::new(), FxHashMap::default());
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
        let nothing = Known { on_the_way: false, asleep: Threads::default() };
        for (number, expected) in map {
            assert_eq!(table.meet(number, nothing), Some(expected));
        }
    }

    #[test]
    fn a_state_takes_at_most_32_bytes() {
        let mut table = Table::new();
        let mut random = 1u128;
        for count in 1..=300_000usize {
            random = random.wrapping_mul(0x2360_ed05_1fc6_5da4_4385_df64_9fcc_f645).wrapping_add(1);
            let mixed = (random ^ random >> 64).wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835);
            table.meet(mixed ^ mixed >> 61, known(0));
            if count >= 50_000 && count.is_multiple_of(1_000) {
                let bytes = table.bytes();
                assert!(bytes <= 32 * count, "{bytes} bytes for {count} states");
            }
        }
    }
}
