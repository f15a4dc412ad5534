//! What belongs to one action: it begins with the visible operation and ends where its thread stands before the next
//! one.
use crate::fingerprint::Following;
use crate::operation::Operation;
use crate::race::RaceLocation;
use crate::state_dump::Twin;
use crate::sync::section::Begun;
use crate::verdict::describe::Action;
use crate::verdict::fault::{Fault, MemoryRule};
use crate::waiting::circle::SpinWatch;
use crate::waiting::{Tallied, TurnId};
use frontend::ir::FuncId;
use por::{ObjectId, ThreadId};

/// What the current action is about. Nothing of this decides anything after the action.
#[derive(Clone, Debug)]
pub(crate) struct Segment {
    /// The thread that runs.
    pub(crate) current: ThreadId,
    /// Instructions, counted as [`super::Lifelong::instructions`] are, after which the thread has run for too long.
    pub(crate) step_limit: u64,
    /// Looks out for loops without end.
    pub(crate) spin: SpinWatch,
    /// How the action changes the state.
    pub(crate) following: Following,
    /// For whole states.
    pub(crate) twin: Twin,
    /// Granules and bytes of promoted memory that the current atomic block has stored to, to be released at its end.
    pub(crate) block_stores: Vec<(ObjectId, u8)>,
    /// A critical section has begun in the action, and has not ended.
    pub(crate) section: Option<Begun>,
    /// Something of the process has changed since a critical section began.
    pub(crate) changed_process: bool,
    /// The thread that the action created.
    pub(crate) created: Option<ThreadId>,
    /// The other events that the fault just raised needs, see [`Fault::involved`].
    pub(crate) involved: Vec<(ThreadId, u32)>,
    /// See [`Fault::raced`].
    pub(crate) raced: Option<RaceLocation>,
    /// See [`Fault::rule`].
    pub(crate) rule: Option<MemoryRule>,
    /// What the action violated.
    pub(crate) fault: Option<Fault>,
    /// Why the action makes the verdict unknown.
    pub(crate) unknown: Option<String>,
    /// Something was learned because of which the exploration has to start again.
    pub(crate) restart: bool,
    /// An atomic block has left its footprint, and so was not ordered with others as it will be.
    pub(crate) left_footprint: bool,
    /// Whether the first argument of the library model that is called is not 0, if that is a term.
    pub(crate) truth: Option<bool>,
    /// The decision that a library model needs before it can go on.
    pub(crate) undecided: Option<Operation>,
    /// The turn of a loop in which the action is the one before the next access, and what it has read.
    pub(crate) came_from: Option<(TurnId, u64)>,
    /// The current thread goes on behind a join that is part of the action.
    pub(crate) joins_on: bool,
    /// What a turn in which the thread polls in vain counts behind its section.
    pub(crate) counted: Vec<Tallied>,
    /// Where operations were part of the action because its thread is alone.
    pub(crate) lone: Vec<(FuncId, u32)>,
    /// What the last action did.
    pub(crate) last_action: Option<Action>,
}

impl Default for Segment {
    fn default() -> Self {
        Segment {
            current: ThreadId(0),
            step_limit: 0,
            spin: SpinWatch::default(),
            following: Following::default(),
            twin: Twin::default(),
            block_stores: Vec::new(),
            section: None,
            changed_process: false,
            created: None,
            involved: Vec::new(),
            raced: None,
            rule: None,
            fault: None,
            unknown: None,
            restart: false,
            left_footprint: false,
            truth: None,
            undecided: None,
            came_from: None,
            joins_on: false,
            counted: Vec::new(),
            lone: Vec::new(),
            last_action: None,
        }
    }
}
