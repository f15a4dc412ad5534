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
//!
//! **A small core.** [`System`] is all that the engine `naive` needs, and twelve methods have to be written. What an
//! engine asks for besides is a trait of its own, all of whose methods have defaults: [`Commuting`] (engine
//! `observers`), [`Decisions`] (symbolic data), [`Fingerprints`] (cutoffs, engine `states`), [`Livelocks`], [`Twins`]
//! (for checking fingerprints). An engine says what it needs once: [`Needs`]. Those who sample schedules ask for
//! [`Places`], several workers for [`Companions`].
mod access;
mod commuting;
mod companions;
mod decisions;
mod fingerprints;
mod livelocks;
mod needs;
mod places;
mod twins;

pub use access::{Access, Accesses, Lanes};
pub use commuting::{Commuting, Effect};
pub use companions::Companions;
pub use decisions::{Constraint, Decisions};
pub use fingerprints::{Change, Fingerprints, Past};
pub use livelocks::{Livelocks, Rest};
pub use needs::Needs;
pub use places::Places;
pub use twins::{LocalSteps, Twins};

use crate::Outcome;
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
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl ObjectId {
    /// The number as an index.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
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

/// What came of executing an operation and the local steps behind it.
#[derive(Debug)]
pub struct Step<F> {
    /// The thread that this action created, if any. It exists (stands before its first operation) from now on.
    pub created: Option<ThreadId>,
    /// A violation found while executing. The faulty thread has stopped. (Steps are moved often, and most have none.)
    pub fault: Option<Box<F>>,
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

/// What an execution shows only at its end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Findings<F> {
    /// What is wrong.
    pub faults: Vec<F>,
    /// Why the verdict can no longer be "safe".
    pub unknown: Option<String>,
    /// The exploration has to start again, as with [`Step::restart`]. Then nothing else counts.
    pub restart: bool,
}

impl<F> Default for Findings<F> {
    fn default() -> Self {
        Findings { faults: Vec::new(), unknown: None, restart: false }
    }
}

impl<F> Findings<F> {
    /// Whether the exploration goes on, or has to start again.
    pub(crate) fn go_on(&self) -> Result<(), Outcome> {
        if self.restart { Err(Outcome::Restart) } else { Ok(()) }
    }
}

impl<F> FromIterator<F> for Findings<F> {
    fn from_iter<I: IntoIterator<Item = F>>(faults: I) -> Self {
        Findings { faults: faults.into_iter().collect(), unknown: None, restart: false }
    }
}

/// A system that every engine can explore.
pub trait Explorable: Commuting + Unfoldable {}

impl<S: Commuting + Unfoldable> Explorable for S {}

/// A system that the engine `unfolding` can explore.
pub trait Unfoldable: Livelocks + Twins + Decisions {}

impl<S: Livelocks + Twins + Decisions> Unfoldable for S {}

/// A concurrent system. See the module documentation for the contract.
///
/// Everything a system does must be a function of the sequence of `execute` calls since the initial state; `undo`
/// takes it back exactly.
pub trait System {
    /// A pending operation: plain data that stays meaningful in every state in which the thread has the same history.
    type Operation: Clone + PartialEq + std::fmt::Debug + Serialize + DeserializeOwned;
    /// A violation.
    type Fault: Clone + std::fmt::Debug;

    /// An engine will explore the system and needs this of it. A system that can do it does it from now on; each of
    /// these only saves work or makes endless executions end, and the system answers no less truly without it. Called
    /// before [`System::start`], also of systems on which only schedules of such an exploration are executed.
    fn prepare(&mut self, needs: Needs) {
        let _ = needs;
    }

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

    /// Whether the operation is one that waits for exactly this access of another thread, which happens once at most
    /// and without which it is never possible (the end of a thread, for threads that join it): then it has one history
    /// only.
    fn awaits(&self, operation: &Self::Operation, access: &Access) -> bool {
        let _ = (operation, access);
        false
    }

    /// Whether the operation picks one of the threads that wait. Then each variant but one touches a single lane of the
    /// first object of the footprint, and is possible as long as that lane stays what it is (and what the variant
    /// touches of other objects). The one that is left touches all lanes, and is possible where none of the others is.
    /// (If an operation says so, engines look at fewer parts of an execution where many threads wait.)
    fn picks(&self, operation: &Self::Operation) -> bool {
        let _ = operation;
        false
    }

    /// The threads whose ends the thread has awaited since its last action, where awaiting them was no action. (Before
    /// its first action: since it was created.) All that they did happens before what the thread does next.
    /// ([`Needs::joined`] says that the engine asks for it.)
    fn joined(&self, thread: ThreadId) -> Vec<ThreadId> {
        let _ = thread;
        Vec::new()
    }

    /// Whether events of the operation seldom have alternatives, because hardly anything can conflict with them. Going
    /// back to before one may then cost more. Only a hint.
    fn is_rarely_replaced(&self, operation: &Self::Operation) -> bool {
        let _ = operation;
        false
    }

    /// Executes the given variant of the thread's pending operation and the local steps behind it.
    fn execute(&mut self, thread: ThreadId, label: u32) -> Step<Self::Fault>;

    /// Remembers the current state. Marks nest like brackets.
    fn mark(&mut self);

    /// Goes back to the last mark and forgets it. Costs what was done since.
    fn undo(&mut self);

    /// Called at a maximal configuration (no thread can move): how it ended, and what is wrong with it, such as a
    /// deadlock that counts. What does not take all of it says what it takes: [`System::involved`].
    fn ending(&mut self) -> (Ending, Findings<Self::Fault>);

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
