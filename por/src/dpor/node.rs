//! Prefixes of E: what was begun from there, and what is planned.
use super::action::{Action, Place, Table};
use super::wakeup::{Branch, Rest, insert, takes};
use std::ops::{Deref, DerefMut};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// What there is to do from a prefix.
#[derive(Default, Debug)]
pub(super) struct Plans {
    /// What is planned from here, and not begun: with what was begun, wut(E), the wakeup tree.
    pub(super) tree: Vec<Branch>,
    /// done(E) with what is being explored: what was begun from here, in that order. Each of it is explored once, with
    /// all before it asleep.
    pub(super) begun: Vec<Begun>,
    /// If several workers have them in common: how many are below this prefix, or will be.
    pub(super) workers: usize,
}

/// A branch that was begun with.
#[derive(Debug)]
pub(super) struct Begun {
    pub(super) action: Action,
    /// The plans of the next prefix, if more than the action was planned and others may still plan there.
    pub(super) next: Option<Common>,
}

/// Plans that several workers have in common.
pub(super) type Common = Arc<Mutex<Plans>>;

/// Whose plans they are.
#[derive(Debug)]
pub(super) enum Owner {
    /// One worker's.
    One(Plans),
    /// They are had in common.
    All(Common),
}

/// A prefix of E.
#[derive(Debug)]
pub(super) struct Node {
    plans: Owner,
    /// Which of what was begun from here E goes on with.
    pub(super) rank: usize,
    /// Where the claims of this node begin in the list of all. They come from what was begun before E from shorter
    /// prefixes, and hold for the sequence from there to here. They end where those of the next node begin.
    pub(super) claims: usize,
}

/// Plans that nobody else looks at meanwhile.
pub(super) enum Held<'a> {
    One(&'a mut Plans),
    All(MutexGuard<'a, Plans>),
}

impl Node {
    pub(super) fn new(plans: Owner, rank: usize, claims: usize) -> Self {
        Node { plans, rank, claims }
    }

    /// The same with room for what is begun from here.
    pub(super) fn with_room(mut self, room: Option<Vec<Begun>>) -> Self {
        if let (Owner::One(Plans { begun, .. }), Some(room)) = (&mut self.plans, room)
            && begun.is_empty()
        {
            *begun = room;
        }
        self
    }

    /// The node is left for good: the room for another one, unless others may still look at it.
    pub(super) fn into_room(self) -> Option<Vec<Begun>> {
        let Owner::One(Plans { mut begun, .. }) = self.plans else { return None };
        begun.clear();
        Some(begun)
    }

    /// The plans, and the rank, which may be set.
    #[inline]
    pub(super) fn hold(&mut self) -> (Held<'_>, &mut usize) {
        let held = match &mut self.plans {
            Owner::One(plans) => Held::One(plans),
            Owner::All(plans) => Held::All(lock(plans)),
        };
        (held, &mut self.rank)
    }

    /// The plans.
    #[inline]
    pub(super) fn plans(&mut self) -> Held<'_> {
        self.hold().0
    }

    /// The plans, for another worker too, who will be below this prefix.
    pub(super) fn share(&mut self) -> Common {
        if let Owner::One(plans) = &mut self.plans {
            let plans = Plans { workers: 1, ..std::mem::take(plans) };
            self.plans = Owner::All(Arc::new(Mutex::new(plans)));
        }
        let Owner::All(plans) = &self.plans else { unreachable!("they have just been shared") };
        lock(plans).workers += 1;
        Arc::clone(plans)
    }
}

impl Default for Owner {
    fn default() -> Self {
        Owner::One(Plans::default())
    }
}

impl Held<'_> {
    /// Begins with a branch, and says at which rank, and with which plans the next prefix starts.
    pub(super) fn begin(&mut self, branch: Branch) -> (usize, Owner) {
        let Branch { action, children } = branch;
        let plans = Plans { tree: children, begun: Vec::new(), workers: 1 };
        let next = match self {
            // (Who plans there later is below what was begun later.)
            Held::One(_) => Owner::One(plans),
            Held::All(_) if plans.tree.is_empty() => Owner::One(plans),
            Held::All(_) => Owner::All(Arc::new(Mutex::new(plans))),
        };
        let common = match &next {
            Owner::One(_) => None,
            Owner::All(plans) => Some(Arc::clone(plans)),
        };
        self.begun.push(Begun { action, next: common });
        (self.begun.len() - 1, next)
    }

    /// This worker leaves the prefix, where nothing is planned.
    pub(super) fn leave(mut self) {
        self.workers = self.workers.saturating_sub(1);
    }
}

/// Where a sequence was inserted, if that is behind what was begun: the ranks, and the plans that follow each.
pub(super) type Way = Vec<(usize, Common)>;

impl Plans {
    /// Inserts a sequence, see [`insert`]: into what was begun from that rank on, as far as it was planned, or into the
    /// tree. `way`: where that is.
    pub(super) fn insert(
        &mut self,
        from: usize,
        table: &Table,
        rest: &mut Rest,
        mut shortest: u32,
        was_set: &impl Fn(Place) -> bool,
        way: &mut Way,
    ) -> u32 {
        for (rank, begun) in self.begun.iter().enumerate().skip(from) {
            match rest.pass(table, begun.action, was_set) {
                Ok(count) => {
                    let decided = match &begun.next {
                        None => shortest,
                        Some(_) if rest.is_empty() => u32::MAX,
                        Some(next) => {
                            way.push((rank, Arc::clone(next)));
                            lock(next).insert(0, table, rest, shortest, was_set, way)
                        }
                    };
                    return decided.max(count);
                }
                Err(count) => shortest = shortest.max(count),
            }
        }
        insert(&mut self.tree, table, rest, shortest, was_set)
    }
}

impl Plans {
    /// As [`takes`], of what was begun from that rank on, and of the tree.
    pub(super) fn takes(
        &self,
        from: usize,
        table: &Table,
        rest: &mut Rest,
        mut shortest: u32,
        was_set: &impl Fn(Place) -> bool,
    ) -> Result<u32, u32> {
        for begun in &self.begun[from..] {
            match rest.pass(table, begun.action, was_set) {
                Ok(count) => {
                    let decided = match &begun.next {
                        None => shortest,
                        Some(_) if rest.is_empty() => u32::MAX,
                        Some(next) => lock(next).takes(0, table, rest, shortest, was_set)?,
                    };
                    return Ok(decided.max(count));
                }
                Err(count) => shortest = shortest.max(count),
            }
        }
        takes(&self.tree, table, rest, shortest, was_set)
    }
}

/// Waits until nobody else looks at the plans. (A worker that broke has ended the exploration.)
pub(super) fn lock(plans: &Common) -> MutexGuard<'_, Plans> {
    plans.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Deref for Held<'_> {
    type Target = Plans;
    #[inline]
    fn deref(&self) -> &Plans {
        match self {
            Held::One(plans) => plans,
            Held::All(plans) => plans,
        }
    }
}

impl DerefMut for Held<'_> {
    #[inline]
    fn deref_mut(&mut self) -> &mut Plans {
        match self {
            Held::One(plans) => plans,
            Held::All(plans) => plans,
        }
    }
}
