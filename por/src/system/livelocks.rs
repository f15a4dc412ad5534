//! What is wrong in states in which some threads can move.
use super::{Decisions, Findings, Fingerprints, ObjectId, ThreadId};

/// What is known of the threads that can move where [`Livelocks::stuck`] is asked about the others.
#[derive(Clone, Copy, Debug)]
pub enum Rest<'a> {
    /// All that they can do is still to be seen.
    ToBeSeen,
    /// Nothing more will be seen of them. They spin for ever, and are these; none if that is not so, or not known.
    Seen(&'a [ThreadId]),
    /// The same where a schedule ends that is taken again: whether the others matter was settled before.
    Settled(&'a [ThreadId]),
}

impl<'a> Rest<'a> {
    /// The threads that are known to spin for ever.
    pub fn spinning(self) -> &'a [ThreadId] {
        match self {
            Rest::ToBeSeen => &[],
            Rest::Seen(spinning) | Rest::Settled(spinning) => spinning,
        }
    }
}

/// A system that can say it. By default nothing is wrong there. (That threads only spin is found by states that come
/// again.)
pub trait Livelocks: Fingerprints + Decisions {
    /// Called in a state in which some threads can move. What is wrong whatever they do: a livelock, threads that wait
    /// for one another, a process that has ended and left something undone.
    fn stuck(&mut self, rest: Rest<'_>) -> Findings<Self::Fault> {
        let _ = rest;
        Findings::default()
    }

    /// Whether threads wait for one another in the current state in a way that only another one may still end, by what
    /// it may do to one of them. Where it never does, they are stuck: [`Livelocks::stuck`] says nothing of them as long
    /// as that is to be seen.
    fn may_be_released(&self) -> bool {
        false
    }

    /// From now on it is seen what threads do by themselves, and said how each action changes the state; or no longer.
    /// Where this begins, a mark was set for it. Threads that go no further since what they look for is not there go
    /// on, and none stops for that.
    fn look_at_each_alone(&mut self, on: bool) {
        if on {
            self.follow_changes(true);
        }
    }

    /// The locks that the thread holds.
    fn holds(&self, thread: ThreadId) -> Vec<ObjectId> {
        let _ = thread;
        Vec::new()
    }

    /// Whether the thread, which cannot move, would go on if it read again what it has read before.
    fn has_read_too_early(&self, thread: ThreadId) -> bool {
        let _ = thread;
        false
    }

    /// Whether the thread cannot move since it waits for what it would otherwise look for again and again.
    fn waits_by_spinning(&self, thread: ThreadId) -> bool {
        let _ = thread;
        false
    }

    /// The state but for how threads go on, as a number, if it is known: it adds up what was changed
    /// ([`Change`](crate::Change)).
    fn shared(&self) -> Option<u128> {
        None
    }

    /// From now on it is as if the thread did not hold that lock: others are looked at. Undone as an action is.
    fn give_back(&mut self, thread: ThreadId, lock: ObjectId) {
        let _ = (thread, lock);
    }

    /// Whether [`Livelocks::stuck`] wants to know which threads spin.
    fn looks_for_livelocks(&self) -> bool {
        false
    }
}
