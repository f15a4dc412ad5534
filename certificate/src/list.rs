//! The states of a certificate.
use por::Move;
use serde::{Deserialize, Serialize};

/// The states: a tree whose root, state 0, is the start. Each state comes after its predecessor.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct States {
    /// The fingerprint of each, the least significant byte first.
    fingerprints: Vec<[u8; 16]>,
    /// How far before each of the others in the list its predecessor is, and the action that leads from there to it.
    ways: Vec<(u32, Move)>,
}

/// A state of the list.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Listed {
    /// What [`por::Fingerprints::state`] says of it.
    pub fingerprint: u128,
    /// The number of the predecessor, and the action that leads from there to it. `None`: it is the start.
    pub way: Option<(u32, Move)>,
}

impl States {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.fingerprints.len()
    }

    /// Whether there are none, not even a start.
    pub fn is_empty(&self) -> bool {
        self.fingerprints.is_empty()
    }

    /// The state of that number. It must exist.
    pub fn get(&self, number: u32) -> Listed {
        let index = number as usize;
        let way = index.checked_sub(1).map(|before| {
            let (distance, action) = self.ways[before];
            (number - distance, action)
        });
        Listed { fingerprint: self.fingerprint(number), way }
    }

    /// Adds a state. Only the first one has no way. False if the way cannot be written: its predecessor is not in the
    /// list.
    #[must_use]
    pub fn push(&mut self, state: Listed) -> bool {
        let number = self.len();
        match state.way {
            None if number == 0 => {}
            Some((before, action)) if (before as usize) < number => {
                let Ok(distance) = u32::try_from(number - before as usize) else { return false };
                self.ways.push((distance, action));
            }
            _ => return false,
        }
        self.fingerprints.push(state.fingerprint.to_le_bytes());
        true
    }

    /// The actions that lead from the start to a state, the last one first.
    pub(crate) fn way_back(&self, number: u32) -> impl Iterator<Item = Move> {
        let before = |state: &u32| self.get(*state).way.map(|(before, _)| before);
        let states = std::iter::successors(Some(number), before);
        states.filter_map(|state| Some(self.get(state).way?.1))
    }

    /// The fingerprint of the state of that number.
    pub(crate) fn fingerprint(&self, number: u32) -> u128 {
        u128::from_le_bytes(self.fingerprints[number as usize])
    }

    /// Whether there is a start, and each of the others has a predecessor before it. An error says what is wrong.
    pub(crate) fn is_tree(&self) -> Result<(), String> {
        if self.is_empty() {
            return Err("there is no state in it".to_owned());
        }
        if self.ways.len() + 1 != self.len() || u32::try_from(self.len()).is_err() {
            return Err("not every state has its way".to_owned());
        }
        match (1..).zip(&self.ways).find(|(number, (distance, _))| *distance == 0 || distance > number) {
            Some((number, _)) => Err(format!("state {number} does not come after its predecessor")),
            None => Ok(()),
        }
    }
}
