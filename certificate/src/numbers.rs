//! The numbers of states by their fingerprints, and the states that a state leads to by the ways of the list.
//!
//! A check looks up where each action leads to, and most of its time is spent on memory if that is slow. So the table
//! has eight bytes a slot, 32 bits of a fingerprint to recognise it by and the number; the whole
//! fingerprint is in the list. It is all that is compared in the end.
use crate::list::States;
use por::Move;
use std::ops::Range;

/// The numbers of states by their fingerprints: a table with open addressing.
pub(crate) struct Numbers {
    /// The lower 32 bits of the fingerprint above the number + 1; 0 is none.
    slots: Vec<u64>,
}

impl Numbers {
    /// Those of a list. An error says which two states are the same.
    pub(crate) fn new(states: &States) -> Result<Self, (u32, u32)> {
        let mut numbers = Numbers { slots: vec![0; states.len() + states.len() / 2 + 1] };
        for number in 0..states.len() as u32 {
            let fingerprint = states.fingerprint(number);
            match numbers.find(states, fingerprint) {
                Ok(other) => return Err((number, other)),
                Err(slot) => numbers.slots[slot] = u64::from(fingerprint as u32) << 32 | u64::from(number + 1),
            }
        }
        Ok(numbers)
    }

    /// The number of the state with that fingerprint.
    pub(crate) fn get(&self, states: &States, fingerprint: u128) -> Option<u32> {
        self.find(states, fingerprint).ok()
    }

    /// Reads where these will be looked for, so that it is near then. None of this waits for another.
    pub(crate) fn fetch(&self, fingerprints: impl Iterator<Item = u128>) {
        let contents = fingerprints.map(|fingerprint| self.slots[self.first(fingerprint)]);
        std::hint::black_box(contents.fold(0, |all, content| all ^ content));
    }

    /// The slot where a fingerprint is looked for first.
    #[inline]
    fn first(&self, fingerprint: u128) -> usize {
        // (The upper bits, as a fraction of all there are, say where to begin. More than one slot is empty.)
        (((fingerprint >> 64) * self.slots.len() as u128) >> 64) as usize
    }

    /// The number, or the slot where it would be.
    #[inline]
    fn find(&self, states: &States, fingerprint: u128) -> Result<u32, usize> {
        let mut slot = self.first(fingerprint);
        loop {
            let content = self.slots[slot];
            if content == 0 {
                return Err(slot);
            }
            let number = (content as u32).wrapping_sub(1);
            if content >> 32 == u64::from(fingerprint as u32) && states.fingerprint(number) == fingerprint {
                return Ok(number);
            }
            slot += 1;
            if slot == self.slots.len() {
                slot = 0;
            }
        }
    }
}

/// The states whose predecessor a state is.
pub(crate) struct Children {
    /// Where those of each state begin.
    first: Vec<u32>,
    numbers: Vec<u32>,
}

impl Children {
    /// Those of a list in which each state but the first has a predecessor before it.
    pub(crate) fn new(states: &States) -> Self {
        let predecessors = || (1..states.len() as u32).filter_map(|number| Some((number, states.get(number).way?.0)));
        let mut first = vec![0; states.len() + 1];
        predecessors().for_each(|(_, before)| first[before as usize + 1] += 1);
        let mut sum = 0;
        for count in &mut first {
            sum += *count;
            *count = sum;
        }
        let mut numbers = vec![0; sum as usize];
        let mut next = first.clone();
        for (number, before) in predecessors() {
            let place = &mut next[before as usize];
            numbers[*place as usize] = number;
            *place += 1;
        }
        Children { first, numbers }
    }

    /// How many states there are.
    pub(crate) fn states(&self) -> u32 {
        self.first.len() as u32 - 1
    }

    /// Those of a state, by number.
    fn numbers(&self, state: u32) -> &[u32] {
        let (first, end) = (self.first[state as usize], self.first[state as usize + 1]);
        &self.numbers[first as usize..end as usize]
    }

    /// The same, each with the action that leads to it.
    pub(crate) fn of(&self, states: &States, state: u32) -> impl Iterator<Item = (u32, Move)> {
        self.numbers(state).iter().filter_map(|number| Some((*number, states.get(*number).way?.1)))
    }
}

/// Where the states are in the order of a walk along the tree that comes to the states of one predecessor in the order
/// of their numbers: each has its place, and all states behind it have the next ones.
pub(crate) struct Spans(Vec<(u32, u32)>);

impl Spans {
    pub(crate) fn new(children: &Children) -> Self {
        let count = children.states();
        // How many states there are with each and behind it. (A predecessor comes before.)
        let mut spans = vec![(0, 1); count as usize];
        for state in (0..count).rev() {
            let behind: u32 = children.numbers(state).iter().map(|child| spans[*child as usize].1).sum();
            spans[state as usize].1 += behind;
        }
        for state in 0..count {
            let mut next = spans[state as usize].0 + 1;
            for child in children.numbers(state) {
                let span = &mut spans[*child as usize];
                span.0 = next;
                next += span.1;
            }
        }
        spans.iter_mut().for_each(|(place, count)| *count += *place);
        Spans(spans)
    }

    /// The place of a state and of those behind it.
    pub(crate) fn of(&self, state: u32) -> Range<u32> {
        let (place, end) = self.0[state as usize];
        place..end
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::list::Listed;
    use por::ThreadId;

    fn list(fingerprints: &[u128], before: &[u32]) -> States {
        let mut states = States::default();
        let action = Move { thread: ThreadId(0), label: 0 };
        let ways = std::iter::once(None).chain(before.iter().map(|before| Some((*before, action))));
        for (fingerprint, way) in fingerprints.iter().zip(ways) {
            assert!(states.push(Listed { fingerprint: *fingerprint, way }));
        }
        states
    }

    #[test]
    fn fingerprints_that_share_bits_are_told_apart() {
        let all = [0, 1, 1 << 40, 1 << 64, u128::MAX, u128::MAX - (1 << 63), u128::MAX - (1 << 127), 1 << 40 | 1];
        let states = list(&all, &[0; 7]);
        let numbers = Numbers::new(&states).expect("they are different");
        for (number, fingerprint) in all.into_iter().enumerate() {
            assert_eq!(numbers.get(&states, fingerprint), Some(number as u32));
            assert_eq!(numbers.get(&states, fingerprint ^ 1 << 50), None);
        }
        let twice = list(&[5, 6, 7, 6], &[0, 1, 2]);
        assert_eq!(Numbers::new(&twice).err(), Some((3, 1)));
    }

    #[test]
    fn children_are_by_predecessor() {
        let states = list(&[1, 2, 3, 4, 5, 6], &[0, 1, 0, 3, 0]);
        let children = Children::new(&states);
        let of = |state| children.of(&states, state).map(|(number, _)| number).collect::<Vec<_>>();
        assert_eq!([of(0), of(1), of(2), of(3), of(5)], [vec![1, 3, 5], vec![2], vec![], vec![4], vec![]]);
    }

    #[test]
    fn spans_are_in_the_order_of_the_walk() {
        // 0 → 1 → 2 → 6, 0 → 3 → 4, 0 → 5.
        let states = list(&[1, 2, 3, 4, 5, 6, 7], &[0, 1, 0, 3, 0, 2]);
        let spans = Spans::new(&Children::new(&states));
        let all: Vec<_> = (0..7).map(|state| spans.of(state)).collect();
        assert_eq!(all, [0..7, 1..4, 2..4, 4..6, 5..6, 6..7, 3..4]);
    }
}
