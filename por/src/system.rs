//! The seam between machine and explorer.
//!
//! A [`System`] is a set of threads, each of which always stands right before its next *visible operation*. The
//! explorer picks a thread, the system executes that operation together with the local steps that follow it, up to
//! the thread's next visible operation. (So local steps belong to the event whose visible action precedes them; the
//! steps before a thread's first operation belong to the event that creates the thread.)
//!
//! **Dependency is a matter of objects and lanes.** An action touches objects (a mutex, a condition variable, eight
//! bytes of memory, …). An object has up to 64 *lanes* (the bytes of a memory granule, the threads that may wait on a
//! condition variable, a single lane for a mutex); an [`Access`] says which lanes it reads and which it writes. Two
//! actions of different threads are dependent iff on a common object one writes a lane that the other reads or writes.
//!
//! **An object has a word.** Its 64 bits of abstract state are spread over the lanes according to [`Lanes`]. The word
//! is all that enabledness and outcome of an operation may depend on; [`System::variants`] is therefore a pure function
//! of the operation and of words, and the explorer can ask what an operation *would* do after another history without
//! taking the machine there.
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// A thread, as a small dense number that is stable over all executions: the same path of creations gives the same
/// number, whatever else happened. Numbers are handed out in the order in which the exploration meets the paths.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct ThreadId(pub u32);

/// A shared object, dense and stable over all executions.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct ObjectId(pub u32);

impl ThreadId {
    /// The number as an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl ObjectId {
    /// The number as an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// How the 64 bits of an object's word belong to its lanes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Lanes {
    /// Lane `i` is bit `i` (condition variables: is thread `i` waiting?).
    Bits,
    /// Lane `i < 8` is byte `i` (memory).
    Bytes,
    /// Lane 0 is the whole word (mutexes, threads).
    Whole,
}

impl Lanes {
    /// The bits of the word that belong to the lanes in `mask`.
    pub fn bits(self, mask: u64) -> u64 {
        match self {
            Lanes::Bits => mask,
            Lanes::Whole => {
                if mask == 0 {
                    0
                } else {
                    u64::MAX
                }
            }
            // The lower seven bits meet no carry when they are copied to distances of seven; then each 1 fills its byte.
            Lanes::Bytes => {
                ((((mask & 0x7f) * 0x0002_0408_1020_4081) | (mask >> 7 << 56)) & 0x0101_0101_0101_0101) * 0xff
            }
        }
    }
}

/// What an action does to one object. At most one access per object in an action.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Access {
    /// The object.
    pub object: ObjectId,
    /// How its word is laid out; always the same for one object.
    pub lanes: Lanes,
    /// Lanes whose content the action depends on. A written lane need not be listed.
    pub reads: u64,
    /// Lanes whose content the action changes (or over which it must be ordered as if it did).
    pub writes: u64,
}

impl Access {
    /// Whether two accesses of different threads may not be swapped.
    pub fn depends(&self, other: &Access) -> bool {
        self.object == other.object && (self.writes & (other.reads | other.writes)) | (self.reads & other.writes) != 0
    }

    /// All lanes touched.
    pub fn touched(&self) -> u64 {
        self.reads | self.writes
    }
}

/// One way in which a pending operation can happen in a given state. An operation without variants is blocked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Variant {
    /// Tells the variants of one operation apart; part of the event's canonical name and of printed schedules. A plain
    /// operation uses 0, a signal the woken thread + 1 (0: lost), a data choice its value.
    pub label: u32,
    /// What this variant touches: each access is contained in the operation's footprint.
    pub accesses: Accesses,
}

/// What an operation does to what it writes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Effect {
    /// Its order with all that it depends on matters.
    #[default]
    Ordered,
    /// It writes one object, whatever was there, and what it writes matters only to those who read it, now or at the end. Two
    /// such operations with the same accesses need not be ordered if nobody reads what they wrote.
    Overwrites,
    /// It changes one object, and learns nothing of what was there. Those of the same kind with the same accesses come to the
    /// same in every order.
    Updates(u8),
    /// It writes one object, whatever was there, and reads nothing; and every operation that ever writes any of these lanes, in
    /// the whole exploration, has this effect, the same accesses, and leaves the same there. Such operations need not be ordered,
    /// and a read only with those of which none has come before it. A system that learns that it is not so says that the
    /// exploration has to start again, and then has another effect there.
    Sets,
}

/// The accesses of one action: few (one or two almost always), so they are kept inline.
#[derive(Clone, Copy, Eq, Debug, Serialize, Deserialize)]
pub struct Accesses {
    items: [Access; Accesses::CAPACITY],
    len: u8,
}

impl Accesses {
    /// The largest number of objects that one action touches.
    pub const CAPACITY: usize = 4;

    /// No access.
    pub fn none() -> Self {
        let nothing = Access { object: ObjectId(u32::MAX), lanes: Lanes::Whole, reads: 0, writes: 0 };
        Accesses { items: [nothing; Self::CAPACITY], len: 0 }
    }

    /// A single access.
    pub fn one(access: Access) -> Self {
        let mut all = Self::none();
        all.push(access);
        all
    }

    /// Adds an access to an object that is not in the list yet.
    ///
    /// # Panics
    /// When the capacity is exceeded.
    pub fn push(&mut self, access: Access) {
        self.items[usize::from(self.len)] = access;
        self.len += 1;
    }
}

impl PartialEq for Accesses {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl std::hash::Hash for Accesses {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        (**self).hash(state);
    }
}

impl Default for Accesses {
    fn default() -> Self {
        Accesses::none()
    }
}

impl std::ops::Deref for Accesses {
    type Target = [Access];
    fn deref(&self) -> &[Access] {
        &self.items[..usize::from(self.len)]
    }
}

/// How an action changed the state, for fingerprints. A state is a sum (wrapping) of well-mixed terms, one for each thing
/// that it consists of and what that holds; a change is a difference of two such sums.
///
/// All of these depend on the action's history only. So what an action changes must not be what an independent one changes
/// too, as a counter would be, and a change that it makes to another thread is a change of its own.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Change {
    /// What the action itself changed, without its thread's own term.
    pub action: u128,
    /// The thread's own term right behind the action: how it goes on.
    pub control: u128,
    /// What the thread's local steps behind the action changed, again without its own term.
    pub local: u128,
    /// If the action created a thread: that thread's own term before its first step. (The thread exists, so it is part of
    /// `action` as well.)
    pub child: u128,
    /// What that thread's first local steps changed.
    pub child_local: u128,
    /// The action has to be seen together with what is concurrent with it even if it leads to a known state: it accesses
    /// memory with which local steps of others may race. (What local steps do is seen where the state was known from.)
    pub keep: bool,
}

/// Which local steps come together with an action.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LocalSteps {
    /// Those of its thread behind it.
    pub own: bool,
    /// The first ones of the thread that it creates.
    pub child: bool,
}

/// A part of what has happened, of which the system knows how it orders things. The number is the one that
/// [`System::keep_journal`] gave to an action.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Past {
    /// The action itself.
    Action(u32),
    /// The local steps of its thread behind it.
    Own(u32),
    /// The first local steps of the thread that it created.
    Child(u32),
}

/// What came of executing an operation and the local steps behind it.
#[derive(Debug)]
pub struct Step<F> {
    /// The thread that this action created, if any. It exists (stands before its first operation) from now on.
    pub created: Option<ThreadId>,
    /// A violation found while executing. The faulty thread has stopped.
    pub fault: Option<F>,
    /// A limit or a gap in the model was met; the thread has stopped, and the verdict can no longer be "safe".
    pub unknown: Option<String>,
    /// How the state changed, if that is followed.
    pub change: Option<Change>,
    /// The system has learned something that concerns what was explored before: the exploration has to start again.
    pub restart: bool,
}

impl<F> Default for Step<F> {
    fn default() -> Self {
        Step { created: None, fault: None, unknown: None, change: None, restart: false }
    }
}

/// How an execution ended, for the statistics and for the report of deadlocks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// Every thread finished, or the process ended, or a thread stopped by a fault or a limit.
    Complete,
    /// A failed assume or await ended it.
    Pruned,
    /// It goes on, but from a state that a smaller execution leads to as well.
    Cutoff,
}

/// What is known of the threads that can move where [`System::stuck`] is asked about the others.
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
    /// Those that are known to spin for ever.
    pub fn spinning(self) -> &'a [ThreadId] {
        match self {
            Rest::ToBeSeen => &[],
            Rest::Seen(spinning) | Rest::Settled(spinning) => spinning,
        }
    }
}

/// What an execution shows only at its end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Findings<F> {
    /// What is wrong.
    pub faults: Vec<F>,
    /// Why the verdict can no longer be "safe".
    pub unknown: Option<String>,
}

impl<F> Default for Findings<F> {
    fn default() -> Self {
        Findings { faults: Vec::new(), unknown: None }
    }
}

impl<F> FromIterator<F> for Findings<F> {
    fn from_iter<I: IntoIterator<Item = F>>(faults: I) -> Self {
        Findings { faults: faults.into_iter().collect(), unknown: None }
    }
}

/// A concurrent system that can be explored. See the module documentation for the contract.
///
/// Everything a system does must be a function of the sequence of `execute` calls since the initial state; `undo`
/// takes it back exactly.
pub trait System {
    /// A pending operation: plain data that stays meaningful in every state in which the thread has the same history.
    type Operation: Clone + std::fmt::Debug + Serialize + DeserializeOwned;
    /// A violation.
    type Fault: Clone + std::fmt::Debug;

    /// Runs the first thread, number 0, to its first operation. Called exactly once, before anything else.
    fn start(&mut self) -> Step<Self::Fault>;

    /// One more than the largest thread number that exists in the current state.
    fn threads(&self) -> u32;

    /// The operation before which `thread` stands; `None` if it does not exist (yet) or has ended.
    fn operation(&self, thread: ThreadId) -> Option<&Self::Operation>;

    /// Every access that any variant of the operation may make in any state, one per object.
    fn footprint(&self, thread: ThreadId, operation: &Self::Operation) -> Accesses;

    /// The current word of an object. Only the lanes that the operation's footprint touches are looked at.
    fn word(&self, object: ObjectId) -> u64;

    /// The ways in which `operation`, whose footprint this is, can happen when the objects of the footprint have these
    /// words (in its order). Pure. Appends to `out`; nothing appended means blocked.
    fn variants(
        &self,
        thread: ThreadId,
        operation: &Self::Operation,
        footprint: &Accesses,
        words: &[u64],
        out: &mut Vec<Variant>,
    );

    /// Whether the operation is one that waits for exactly this access of another thread, which happens once at most and
    /// without which it is never possible (the end of a thread, for those who join it): then it has one history only.
    fn awaits(&self, operation: &Self::Operation, access: &Access) -> bool {
        let _ = (operation, access);
        false
    }

    /// Whether events of the operation seldom have alternatives, because hardly anything can conflict with them. Going back
    /// to before one may then cost more. Only a hint.
    fn is_rarely_replaced(&self, operation: &Self::Operation) -> bool {
        let _ = operation;
        false
    }

    /// What the operation does to what it writes, as far as that says which others need not be ordered with it. A function of the
    /// operation's own history. (What the system says of races must then not rely on their order either.)
    fn effect(&self, operation: &Self::Operation) -> Effect {
        let _ = operation;
        Effect::Ordered
    }

    /// What an operation that updates an object leaves there if its word was this before.
    fn updated(&self, operation: &Self::Operation, word: u64) -> u64 {
        let _ = operation;
        word
    }

    /// What operations that set lanes of this object left there was not there any more when they were accessed again, or an
    /// operation that does not set them writes there. The exploration starts again, and [`System::effect`] must not say any more that
    /// they are set.
    fn is_no_set(&mut self, object: ObjectId) {
        let _ = object;
    }

    /// Executes the given variant of the thread's pending operation and the local steps behind it.
    fn execute(&mut self, thread: ThreadId, label: u32) -> Step<Self::Fault>;

    /// Remembers the current state. Marks nest like brackets.
    fn mark(&mut self);

    /// Goes back to the last mark and forgets it. Costs what was done since.
    fn undo(&mut self);

    /// Called at a maximal configuration (no thread can move): how it ended, and what is wrong with it, such as a deadlock
    /// that counts. What does not take all of it says what it takes: [`System::involved`].
    fn ending(&mut self) -> (Ending, Findings<Self::Fault>);

    /// Called in a state in which some threads can move. What is wrong whatever they do: a livelock, threads that wait
    /// for one another, a process that has ended and left something undone.
    fn stuck(&mut self, rest: Rest<'_>) -> Findings<Self::Fault> {
        let _ = rest;
        Findings::default()
    }

    /// Whether [`System::stuck`] wants to know who spins.
    fn looks_for_livelocks(&self) -> bool {
        false
    }

    /// From now on [`System::execute`] says how the state changes, or no longer does. A system that cannot say it is
    /// explored without cutoffs.
    fn follow_changes(&mut self, on: bool) {
        let _ = on;
    }

    /// Keeps what the action that was executed last contributes to [`System::order_behind`], and gives it a number; `None` if
    /// that is not a part of the state.
    fn keep_journal(&mut self) -> Option<u32> {
        None
    }

    /// The term of what [`Change`] cannot say, because it is no sum: which of the actions in a causally closed set are ordered
    /// by more than causality, as far as that decides what is wrong with later ones.
    ///
    /// The set is the local configuration of an event of that thread. It is told bit by bit, in an order in which it can
    /// happen: it consists of what was `new` in the first `keep` calls for the thread that still hold, and of what is new now.
    /// Later calls do not hold any more, and none does behind [`System::retain_journals`].
    fn order_behind(&mut self, thread: ThreadId, keep: usize, new: &[Past]) -> u128 {
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

    /// Another system that stands where this one stands, for checking fingerprints; `None` if that cannot be done. Numbers of
    /// threads are those of this one. Called before [`System::start`].
    fn twin(&self) -> Option<Self>
    where
        Self: Sized,
    {
        None
    }

    /// Like [`System::execute`], with some local steps left out. A thread whose steps were left out does not move before
    /// this is undone. Only twins are asked.
    fn execute_partly(&mut self, thread: ThreadId, label: u32, steps: LocalSteps) -> Step<Self::Fault> {
        let _ = (thread, label, steps);
        unreachable!("only twins are asked")
    }

    /// Everything in the current state that may decide how the system goes on, each thing in a line of its own. Found by
    /// looking at all of it, not from what has changed; equal for equal states. A thread whose local steps were left out
    /// stands right behind its action. Only twins are asked, once where they stand.
    fn whole_state(&mut self) -> Vec<String> {
        unreachable!("only twins are asked")
    }

    /// A name of the object that is the same in equal states: objects that have been freed and made anew may have other
    /// numbers and the same name.
    fn name(&self, object: ObjectId) -> u64 {
        u64::from(object.0)
    }

    /// Besides the event at which it was found: the events that must have happened for the fault to be seen, each as
    /// (thread, how many events of that thread). The second access of a data race is such a thing.
    fn involved(fault: &Self::Fault) -> Vec<(ThreadId, u32)>;

    /// A digest of everything that an observer could see in the current state, equal for equal states in every
    /// execution. Used by the oracles (and by cutoffs).
    fn digest(&self) -> u128;
}

/// One step of a schedule: which thread moves, by which variant.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Move {
    /// The thread.
    pub thread: ThreadId,
    /// The label of the variant.
    pub label: u32,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lanes_of_bytes() {
        for mask in 0..256u64 {
            let expected = (0..8).filter(|lane| mask >> lane & 1 != 0).fold(0, |bits, lane| bits | 0xff << (8 * lane));
            assert_eq!(Lanes::Bytes.bits(mask), expected, "{mask:#x}");
        }
    }
}
