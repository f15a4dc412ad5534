//! Wakeup trees: what is planned from a prefix of E, in order.
use super::action::{Action, Place, Table};
use super::weak_initial::{Verdict, WeakInitial};
use serde::{Deserialize, Serialize};

/// A node of a wakeup tree with its subtree: what comes first.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Branch {
    pub(super) action: Action,
    pub(super) children: Vec<Branch>,
}

/// What is left of a sequence that is planned, with serial numbers.
#[derive(Clone, Default, Debug)]
pub(super) struct Rest {
    actions: Vec<(u32, Action)>,
    /// So many of them are taken: the tree mostly begins as the sequence does.
    taken: usize,
    /// The places that are set on the way through the tree.
    set: Vec<Place>,
}

/// Inserts a sequence, as in §5: the tree afterwards has a leaf that the sequence is compatible with. `was_set`:
/// whether a place is set already where the tree begins.
///
/// Where the sequence leaves the tree, not all of it becomes a new branch: so many of its actions that nothing is
/// asleep after them. All that is possible there is then found, the rest of the sequence too. `shortest`: the first so
/// many say that what was explored from there is not asleep. Those that keep it from going another way through the tree
/// say so of the branches there, which are explored before. (Which way that is has to be asked of the whole sequence.
/// Its beginning could go another one, on which the rest of it is not possible.)
///
/// Returns how many actions of the sequence decided all that: another one that begins with these goes the same way.
/// More than there are if its end had a say.
pub(super) fn insert(
    tree: &mut Vec<Branch>,
    table: &Table,
    rest: &mut Rest,
    mut shortest: u32,
    was_set: &impl Fn(Place) -> bool,
) -> u32 {
    for branch in tree.iter_mut() {
        match rest.pass(table, branch.action, was_set) {
            Ok(count) => {
                let decided = if branch.children.is_empty() {
                    shortest
                } else if rest.is_empty() {
                    u32::MAX
                } else {
                    insert(&mut branch.children, table, rest, shortest, was_set)
                };
                return decided.max(count);
            }
            Err(count) => shortest = shortest.max(count),
        }
    }
    let needed = rest.left().iter().filter(|(serial, _)| *serial < shortest);
    let chain = |children: Vec<Branch>, &(_, action): &(u32, Action)| vec![Branch { action, children }];
    tree.extend(needed.rev().fold(Vec::new(), chain));
    shortest
}

/// Whether the tree has a leaf that the sequence is compatible with: then [`insert`] would change nothing, now or when
/// branches have come behind those that there are. If so, how many actions of the sequence decided that.
pub(super) fn takes(
    tree: &[Branch],
    table: &Table,
    rest: &mut Rest,
    mut shortest: u32,
    was_set: &impl Fn(Place) -> bool,
) -> Result<u32, u32> {
    for branch in tree {
        match rest.pass(table, branch.action, was_set) {
            Ok(count) => {
                let decided = if branch.children.is_empty() {
                    shortest
                } else if rest.is_empty() {
                    u32::MAX
                } else {
                    takes(&branch.children, table, rest, shortest, was_set)?
                };
                return Ok(decided.max(count));
            }
            Err(count) => shortest = shortest.max(count),
        }
    }
    Err(shortest)
}

impl Rest {
    /// All of it.
    pub(super) fn new(sequence: &[Action]) -> Self {
        let mut rest = Rest::default();
        rest.begin(sequence);
        rest
    }

    /// All of another sequence.
    pub(super) fn begin(&mut self, sequence: &[Action]) {
        self.actions.clear();
        self.actions.extend((0..).zip(sequence.iter().copied()));
        self.taken = 0;
        self.set.clear();
    }

    /// What is left.
    fn left(&self) -> &[(u32, Action)] {
        &self.actions[self.taken..]
    }

    pub(super) fn is_empty(&self) -> bool {
        self.left().is_empty()
    }

    /// Takes an action of what is left.
    fn take(&mut self, index: usize, action: Action) {
        match index {
            0 => self.taken += 1,
            index => _ = self.actions.remove(self.taken + index),
        }
        if let Some(place) = action.place() {
            self.set.push(place);
        }
    }

    /// Takes an action of the tree as the next one, if something equivalent to the sequence can begin with it: what is
    /// left then is what comes after that action. Returns how many actions of the sequence show that it can (more than
    /// there are if the end of the sequence does), or, with nothing changed, how many show that it cannot.
    ///
    /// Actions of the tree that are not in the sequence may observe which of two writes of it comes last, which the
    /// sequence itself leaves open. That does not keep them apart: the race of these writes is seen there, and
    /// reversed.
    pub(super) fn pass(&mut self, table: &Table, action: Action, was_set: &impl Fn(Place) -> bool) -> Result<u32, u32> {
        // (Mostly the tree goes on as the sequence does.)
        if let Some(&(serial, next)) = self.left().first()
            && next == action
        {
            self.take(0, action);
            return Ok(serial + 1);
        }
        let mut claim = WeakInitial::new(action, 0);
        let was_set = |place| was_set(place) || self.set.contains(&place);
        let (mut taken, mut shown) = (None, u32::MAX);
        let left = self.left();
        let mut rest = left.iter();
        while let Some(&(serial, next)) = claim.next_with_a_say(table, &mut rest, |(_, next)| *next) {
            if taken.is_none() && next.thread == action.thread {
                taken = Some(left.len() - rest.len() - 1);
            }
            match claim.step(table, next, was_set) {
                Verdict::Holds => {}
                Verdict::Certain => {
                    shown = serial + 1;
                    break;
                }
                Verdict::Refuted => return Err(serial + 1),
            }
        }
        match taken {
            Some(index) => self.take(index, action),
            None => self.set.extend(action.place()),
        }
        Ok(shown)
    }
}
