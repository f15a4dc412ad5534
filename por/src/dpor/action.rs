//! What threads do, in a few words each.
use crate::numbers::Numbers;
use crate::system::{Access, Accesses, Effect, ThreadId, Variant};
use serde::{Deserialize, Serialize};
use std::cell::Cell;

/// One thread's step: which variant of its operation, and what that touches.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub(super) struct Action {
    pub(super) thread: ThreadId,
    pub(super) label: u32,
    /// The number of its list of accesses in [`Table`].
    accesses: u32,
    effect: Effect,
}

impl Action {
    /// Whether the action is blind: it writes one object, whatever value was there, and the new value matters only to
    /// actions that read it.
    pub(super) fn is_blind(self) -> bool {
        self.effect == Effect::Overwrites
    }

    /// Several such actions have the same effect in every order.
    pub(super) fn is_update(self) -> bool {
        matches!(self.effect, Effect::Updates(_))
    }

    /// Whether its order with all that it depends on matters, whatever that is.
    pub(super) fn is_ordered(self) -> bool {
        self.effect == Effect::Ordered
    }

    /// Whether the two are the same variant of their thread's operation.
    pub(super) fn does_the_same(self, other: Action) -> bool {
        (self.thread, self.label, self.accesses) == (other.thread, other.label, other.accesses)
    }

    /// Whether the two have the same accesses.
    pub(super) fn touches_the_same(self, other: Action) -> bool {
        self.accesses == other.accesses
    }

    /// The same action, in another table.
    pub(super) fn renumbered(self, number: impl FnOnce(u32) -> u32) -> Self {
        Action { accesses: number(self.accesses), ..self }
    }

    /// The place that the action sets, if it sets one. All actions that set this place have the same value here.
    pub(super) fn place(self) -> Option<Place> {
        (self.effect == Effect::Sets).then_some(Place(self.accesses))
    }
}

/// A place that some actions set, always to the same value: the number of their list of accesses in [`Table`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Place(u32);

/// How two actions of different threads stand to one another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Relation {
    /// Their order never matters.
    Independent,
    /// Their order matters.
    Dependent,
    /// Both are blind and write the same: their order matters if another action observes one of them.
    IfObserved,
}

/// The different lists of accesses that have occurred.
pub(crate) struct Table {
    /// Whether the effects of actions are used: `false` without observers.
    observers: bool,
    lists: Numbers<Accesses>,
    /// What is remembered of some pairs, each at a place that its numbers say. The same few are asked for again and
    /// again.
    pairs: Box<[Cell<Option<Pair>>; PAIRS]>,
}

/// The numbers of two lists, and whether they depend on one another.
type Pair = (u32, u32, bool);

/// How many pairs of lists are remembered.
const PAIRS: usize = 256;

impl Table {
    pub(super) fn new(observers: bool) -> Self {
        Table { observers, lists: Numbers::default(), pairs: Box::new([const { Cell::new(None) }; PAIRS]) }
    }

    /// A table for another worker, with the same numbers for the same lists.
    pub(super) fn shared(&mut self) -> Self {
        Table { lists: self.lists.shared(), ..Table::new(self.observers) }
    }

    /// Learns the lists that other workers have met: after that, their actions are known here.
    #[inline]
    pub(super) fn catch_up(&mut self) {
        self.lists.catch_up();
    }

    /// The number of a list, and the list of a number.
    pub(super) fn number(&mut self, accesses: &Accesses) -> u32 {
        self.lists.number(accesses)
    }

    pub(super) fn list(&self, number: u32) -> &Accesses {
        self.lists.thing(number)
    }

    pub(super) fn action(&mut self, thread: ThreadId, label: u32, accesses: &Accesses, effect: Effect) -> Action {
        let number = self.lists.number(accesses);
        let mut writes = accesses.iter().filter(|access| access.writes != 0);
        let is_blind = matches!(effect, Effect::Overwrites | Effect::Sets);
        let one = writes.next().is_some_and(|access| (access.reads == 0) == is_blind && writes.next().is_none());
        // An action that sets a place does nothing else.
        let one = one && (effect != Effect::Sets || accesses.len() == 1);
        Action { thread, label, accesses: number, effect: if self.observers && one { effect } else { Effect::Ordered } }
    }

    /// The access by which actions set the place.
    pub(super) fn written_at(&self, place: Place) -> &Access {
        &self.lists.thing(place.0)[0]
    }

    pub(super) fn accesses(&self, action: Action) -> &Accesses {
        self.lists.thing(action.accesses)
    }

    /// Whether an action is this variant of its thread's operation.
    pub(super) fn is_variant(&self, action: Action, variant: &Variant) -> bool {
        action.label == variant.label && *self.accesses(action) == variant.accesses
    }

    /// Of actions of different threads.
    #[inline]
    pub(super) fn relation(&self, a: Action, b: Action) -> Relation {
        if a.accesses == b.accesses && a.effect == b.effect {
            match a.effect {
                Effect::Ordered => {}
                Effect::Overwrites => return Relation::IfObserved,
                Effect::Updates(_) | Effect::Sets => return Relation::Independent,
            }
        }
        if self.conflicts(a, b) { Relation::Dependent } else { Relation::Independent }
    }

    /// Whether their accesses depend on one another.
    #[inline]
    pub(super) fn conflicts(&self, a: Action, b: Action) -> bool {
        let (first, second) = (a.accesses, b.accesses);
        let place = &self.pairs[(first.wrapping_mul(31) ^ second) as usize % PAIRS];
        match place.get() {
            Some((x, y, conflicts)) if (x, y) == (first, second) => conflicts,
            _ => {
                let conflicts = self.compare(a, b);
                place.set(Some((first, second, conflicts)));
                conflicts
            }
        }
    }

    fn compare(&self, a: Action, b: Action) -> bool {
        let depends = |x: &Access| self.accesses(b).iter().any(|y| x.depends(y));
        self.accesses(a).iter().any(depends)
    }

    /// `write` is a blind action. Of the lanes that it writes: those that the other action reads, and those that it
    /// writes.
    pub(super) fn overlap(&self, write: Action, other: Action) -> (u64, u64) {
        let written = self.written(write);
        let access = self.accesses(other).iter().find(|access| access.object == written.object);
        access.map_or((0, 0), |access| (access.reads & written.writes, access.writes & written.writes))
    }

    /// What a blind action writes.
    pub(super) fn written(&self, write: Action) -> &Access {
        self.accesses(write).iter().find(|access| access.writes != 0).expect("a blind action writes")
    }
}
