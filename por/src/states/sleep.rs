//! Sleep sets, beside states that are known (Gode96, chapter 5).
//!
//! Two actions of different threads that touch nothing in common lead to one state in either order. A search that takes
//! one of them first, and has seen all that is behind it, need not take it again behind the other one: its thread is
//! *asleep* there, until an action wakes it that depends on what it can do. So all states are visited, but fewer
//! actions are taken between them.
//!
//! **Threads sleep, not single variants.** A thread sleeps when all its variants have been taken, and wakes up when one
//! of them depends on the action that is taken. That is asked in the state behind the action. It is enough there: what
//! an action does not write is the same before and behind it, so a variant that exists behind it and does not depend on
//! it has existed before with the same accesses, and was asleep. A thread that cannot move does not sleep, for it may
//! be able to move later. So what sleeps has a name that is the same in all equal states, the number of the thread,
//! whatever their objects, inputs and labels are called.
//!
//! **States that come again.** Beside each known state stands which threads were never taken from there: the stored
//! set. A way that leads there with a set that does not contain the stored one takes what is in the stored and not in
//! its own. What is left in the stored set is their intersection.
//!
//! **Why every state is visited, with circles among them or without.** Let `w` be a sequence of actions from a visited
//! state `s`. It is *awake* at a visit to `s` if nothing that sleeps there can be moved to its front, by exchanging
//! neighbours that are independent. Claim: if `w` is awake at a visit to `s`, then actions are taken one by one that
//! are `w`, up to such exchanges. (From the start every sequence is awake, for nothing sleeps there.) By induction over
//! the length of `w`: let `F` be the actions that can be moved to its front. None sleeps at that visit, so the stored
//! set loses all of `F` by then; let `k` be the visit to `s` at which it loses the last of them, and `f` the one of `F`
//! that is taken first at this visit. Let `w'` be the rest of `w` behind `f`. It is awake behind `f`: what sleeps
//! there, and can be moved to the front of `w'`, is independent of `f`, so it is in `F`, and it slept at visit `k` or
//! was taken there before `f`. The one contradicts that the stored set has nothing of `F` any more, the other that `f`
//! is the first. ∎ Neither the order of the search nor that it comes to an end matters, and to take a thread out of a
//! sleep set is never wrong. So a fault that a sequence shows is shown: it is one of an action with all that happens
//! before it, or of a state.
//!
//! What is taken for one state must be one: from each of the histories that lead there the same has to be possible,
//! also as far as it depends on what a thread only knows from another one. Otherwise it depends on the order of the
//! search which of them is looked at, and sleep sets change that order.
//!
//! **Livelocks.** All states stay, but not all actions between them, so a circle among livelocks may never be closed.
//! Let `L` be a livelock and what can be reached from it. They are looked for
//! 1. in a state to which its own way has led back, once all was taken that is taken from there,
//! 2. in a new state in which all that can move is asleep,
//! 3. in a known state from which something more was taken,
//!
//! and that finds one of `L`. Otherwise, by 3, all that is ever taken from a state of `L` is taken at one visit, by 2
//! something is, and it leads into `L`, which is finite. So what is taken has a circle in `L`. A search in depth that
//! expands each state once closes it: case 1.
//!
//! Nothing in `L` changes more than where its thread stands, and which locks it holds. So it is enough to look, in case
//! 1, if no action of the circle did; in cases 1 and 3, if no action did that was taken from the state, or from one
//! that it leads to and from which all was taken before (the table has a note of that); and in all of them if no thread
//! is *busy*: one that sleeps, can move, and of which each action changes more than that. What an action changes is the
//! same wherever it slept.
use crate::system::{Accesses, ThreadId, Variant};

/// A set of threads, of those with small numbers. All others are never in it.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct Threads(u32);

impl Threads {
    /// How many threads can be in a set. (Two bits of a note in the table are for something else.)
    pub(crate) const MOST: u32 = u32::BITS - 2;

    pub(crate) fn all() -> Self {
        Threads((1 << Threads::MOST) - 1)
    }

    /// A bit for each thread.
    pub(crate) fn bits(self) -> u32 {
        self.0
    }

    pub(crate) fn of(bits: u32) -> Self {
        Threads(bits & Threads::all().0)
    }

    pub(crate) fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub(crate) fn contains(self, thread: ThreadId) -> bool {
        thread.0 < Threads::MOST && self.0 >> thread.0 & 1 != 0
    }

    pub(crate) fn insert(&mut self, thread: ThreadId) {
        if thread.0 < Threads::MOST {
            self.0 |= 1 << thread.0;
        }
    }

    /// How many there are.
    pub(crate) fn count(self) -> u32 {
        self.0.count_ones()
    }

    pub(crate) fn or(self, other: Threads) -> Self {
        Threads(self.0 | other.0)
    }

    pub(crate) fn without(self, thread: ThreadId) -> Self {
        if thread.0 < Threads::MOST { Threads(self.0 & !(1 << thread.0)) } else { self }
    }

    pub(crate) fn minus(self, other: Threads) -> Self {
        Threads(self.0 & !other.0)
    }

    pub(crate) fn and(self, other: Threads) -> Self {
        Threads(self.0 & other.0)
    }

    /// Those that are in the set, by number.
    pub(crate) fn iter(self) -> impl Iterator<Item = ThreadId> {
        let after = |bits: &u32| Some(bits & bits.wrapping_sub(1));
        let from_each = std::iter::successors(Some(self.0), after).take_while(|bits| *bits != 0);
        from_each.map(|bits| ThreadId(bits.trailing_zeros()))
    }
}

/// Whether a thread that slept before an action with these accesses sleeps behind it, where it can do this.
pub(crate) fn sleeps_on(variants: &[Variant], action: &Accesses) -> bool {
    !variants.is_empty() && !variants.iter().any(|variant| depend(&variant.accesses, action))
}

/// Whether actions with these accesses depend on one another.
pub(crate) fn depend(one: &Accesses, other: &Accesses) -> bool {
    one.iter().any(|x| other.iter().any(|y| x.depends(y)))
}
