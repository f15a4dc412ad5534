//! What cutoffs ask of a system: states that are compared by what has changed.
use super::{ObjectId, System, ThreadId};

/// How an action changed the state, for fingerprints. A state is a sum (wrapping) of well-mixed terms, one for each
/// thing that it consists of and what that holds; a change is a difference of two such sums.
///
/// All of these depend on the action's history only. So what an action changes must not be what an independent one
/// changes too, as a counter would be, and a change that it makes to another thread is a change of its own.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Change {
    /// What the action itself changed, without its thread's own term.
    pub action: u128,
    /// The part of that which is only about which locks the thread holds, if it waits for a lock until it gets it, or
    /// gives one back. What this comes to must not depend on what happens to the lock before. Else 0. (It is asked for
    /// only where threads are looked at by themselves: [`super::Livelocks::look_at_each_alone`].)
    pub lock: u128,
    /// The thread's own term right behind the action: how it goes on.
    pub control: u128,
    /// What the thread's local steps behind the action changed, again without its own term.
    pub local: u128,
    /// The part of both that is only about variables of the thread which are as good as registers. (It is asked for
    /// where `lock` is.)
    pub confined: u128,
    /// That about other variables of the thread that nobody else has to do with.
    pub own: u128,
    /// If the action created a thread: that thread's own term before its first step. (The thread exists, so it is part
    /// of `action` as well.)
    pub child: u128,
    /// What that thread's first local steps changed.
    pub child_local: u128,
    /// The action has to be seen together with what is concurrent with it even if it leads to a known state: it
    /// accesses memory with which local steps of others may race. (What local steps do is seen where the state was
    /// known from.)
    pub keep: bool,
}

/// A part of what has happened, of which the system knows how it orders things. The number is the one that
/// [`Fingerprints::keep_journal`] gave to an action.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Past {
    /// The action itself.
    Action(u32),
    /// The local steps of its thread behind it.
    Own(u32),
    /// The first local steps of the thread that it created.
    Child(u32),
}

/// A system whose states can be told apart. By default nothing is said of them, and it is explored without cutoffs.
pub trait Fingerprints: System {
    /// From now on [`System::execute`] says how the state changes, or no longer does. A system that cannot say it is
    /// explored without cutoffs.
    fn follow_changes(&mut self, on: bool) {
        let _ = on;
    }

    /// Keeps what the action that was executed last contributes to [`Fingerprints::order_after`], and gives it a
    /// number; `None` if that is not a part of the state.
    fn keep_journal(&mut self) -> Option<u32> {
        None
    }

    /// The term of what [`Change`] cannot say, because it is no sum: which of the actions in a causally closed set are
    /// ordered by more than causality, as far as that decides what is wrong with later ones.
    ///
    /// The set is the local configuration of an event of that thread. It is told bit by bit, in an order in which it
    /// can happen: it consists of what was `new` in the first `keep` calls for the thread that still hold, and of what
    /// is new now. Later calls do not hold any more, and none does behind [`Fingerprints::retain_journals`].
    fn order_after(&mut self, thread: ThreadId, keep: usize, new: &[Past]) -> u128 {
        let _ = (thread, keep, new);
        0
    }

    /// Nothing of the past will be asked for any more but these. Their numbers stay, others may be given again.
    fn retain_journals(&mut self, journals: &[u32]) {
        let _ = journals;
    }

    /// About how many bytes the journals take.
    fn journal_bytes(&self) -> usize {
        0
    }

    /// From now on [`Fingerprints::state`] is asked for. Called before [`System::start`].
    fn follow_states(&mut self) {}

    /// The fingerprint of the current state: equal ones mean that the same can happen from there on, with the same
    /// faults. `None` if there is none to be had: then no state is known again.
    fn state(&mut self) -> Option<u128> {
        None
    }

    /// The system stands in its first state, behind [`System::start`]. From now on [`Fingerprints::state`] is asked
    /// for, by an engine that takes states with the same fingerprint for one: the same threads and objects have the
    /// same numbers there, and stand before the same operations. `false`: that is not to be had.
    fn follow_from_here(&mut self) -> bool {
        false
    }

    /// Wherever the system stands, [`Fingerprints::state`] is not asked for any more.
    fn follow_no_more(&mut self) {}

    /// While states are followed, [`Step::change`](super::Step::change) is said only if this was asked for.
    fn say_changes(&mut self, on: bool) {
        let _ = on;
    }

    /// What [`Fingerprints::state`] says, found without what was added up on the way as far as the system can do that.
    /// For debugging.
    fn state_from_scratch(&mut self) -> Option<u128> {
        self.state()
    }

    /// Whether the action that was executed last is known to have changed more of the state than how its thread goes
    /// on, and which locks that holds ([`Change::lock`]). (One that did so does the same behind any independent
    /// action.) Asked right behind it.
    fn changed_more_than_its_thread(&self) -> bool {
        false
    }

    /// Where a thread stands that has an operation, as a number: mostly the same things follow where it is the same.
    /// `None` if that is not said. (For persistent sets, which are right whatever it is.)
    fn place(&self, thread: ThreadId) -> Option<u64> {
        let _ = thread;
        None
    }

    /// Whether what others do after the operation counts no more: it ends the process, or fails an assumption. (For
    /// persistent sets, as a hint.)
    fn ends_all(&self, operation: &Self::Operation) -> bool {
        let _ = operation;
        false
    }

    /// Whether something has happened after which what threads do counts no more.
    fn is_over(&self) -> bool {
        false
    }

    /// A name of the object that is the same in equal states: objects that have been freed and made anew may have other
    /// numbers and the same name.
    fn name(&self, object: ObjectId) -> u64 {
        u64::from(object.0)
    }
}
