//! Making a list: the walk through all states, by one that is not known yet.
use crate::list::{Listed, States};
use crate::walk::{Arrival, Checked, List, Refused, Walk};
use por::{Livelocks, Move};
use rustc_hash::FxHashMap;

/// Makes the list of all states of a system that has not been started yet, up to a limit. `counts` says whether a fault
/// is one, and `go_on` is asked now and then, with the number of states.
///
/// # Errors
/// There is no such list.
pub fn collect<S: Livelocks>(
    system: &mut S,
    limit: u32,
    counts: impl Fn(&S::Fault) -> bool,
    go_on: impl FnMut(u64) -> bool,
) -> Result<(States, Checked), Refused<S::Fault>> {
    let grown = Grown { states: States::default(), numbers: FxHashMap::default(), limit };
    let mut walk = Walk::new(system, grown, counts, go_on);
    walk.go()?;
    walk.look_for_ever()?;
    Ok((walk.list.states, walk.checked))
}

/// A list that grows.
struct Grown {
    states: States,
    numbers: FxHashMap<u128, u32>,
    limit: u32,
}

impl List for Grown {
    fn children(&self, _: u32) -> impl Iterator<Item = (u32, Move)> {
        std::iter::empty()
    }

    fn arrive(&mut self, fingerprint: u128, way: Option<(u32, Move)>, _: Option<u32>) -> Arrival {
        let next = self.states.len() as u32;
        match self.numbers.get(&fingerprint) {
            Some(&number) => Arrival::Known(number),
            None if next >= self.limit => Arrival::TooMany(self.limit.into()),
            None => {
                assert!(self.states.push(Listed { fingerprint, way }), "a state is reached from one before it");
                self.numbers.insert(fingerprint, next);
                Arrival::New(next)
            }
        }
    }

    fn number(&self, fingerprint: u128) -> Option<u32> {
        self.numbers.get(&fingerprint).copied()
    }

    fn states(&self) -> &States {
        &self.states
    }
}
