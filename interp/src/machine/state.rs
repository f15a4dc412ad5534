//! The state of the program: all that is undone when the explorer goes back.
use crate::fingerprint::RunningSum;
use crate::memory::Memory;
use crate::symbolic::Path;
use crate::sync::SyncState;
use crate::thread::Thread;
use crate::undefined::partial_bytes::PartialBytes;
use por::ThreadId;

/// What the moves since the start have made of the program.
///
/// Going back, fingerprints, whole states and checkpoints each take this apart field by field, without a rest: a new
/// field does not compile before each of them says what it means there. (Each part has marks or stamps of its own.)
#[derive(Clone, Debug)]
pub(crate) struct State {
    /// Objects, bytes, and the clocks of the race detector.
    pub(crate) memory: Memory,
    /// Bytes that are defined in part.
    pub(crate) partial: PartialBytes,
    /// By number; the ones after [`Process::threads`] are left over from other executions.
    pub(crate) threads: Vec<Thread>,
    /// State of synchronisation objects by number.
    pub(crate) sync: Vec<SyncState>,
    /// What belongs to no thread.
    pub(crate) process: Process,
    /// What was decided about inputs.
    pub(crate) path: Path,
    /// What fingerprints of whole states add up.
    pub(crate) sum: RunningSum,
    /// Output, if it is kept: (thread, stream, bytes). Its length is [`Process::output`].
    pub(crate) output: Vec<(ThreadId, u8, Vec<u8>)>,
}

impl State {
    /// Nothing has happened yet.
    pub(super) fn new(memory: Memory) -> Self {
        State {
            memory,
            partial: PartialBytes::default(),
            threads: Vec::new(),
            sync: Vec::new(),
            process: Process::default(),
            path: Path::default(),
            sum: RunningSum::default(),
            output: Vec::new(),
        }
    }
}

/// A function to call at exit.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct AtExit {
    pub(crate) address: u64,
    pub(crate) argument: u64,
    /// The thread that registered it, and the number of that event among that thread's.
    pub(crate) by: (ThreadId, u32),
}

/// The state that belongs to no thread.
#[derive(Clone, Debug, Default)]
pub(crate) struct Process {
    /// One more than the largest thread number that exists.
    pub(crate) threads: u32,
    /// The status with which the process ended, and which thread ended it.
    pub(crate) ended: Option<(u64, ThreadId)>,
    /// An assumption failed.
    pub(crate) pruned: bool,
    /// Threads that a fault, a limit or an endless loop stopped: without them, that others wait proves nothing.
    pub(crate) stopped: u32,
    /// The lanes of atomic blocks in whose middle threads stand, see [`crate::sync::block`].
    pub(crate) closed: u64,
    /// Functions to call at exit, the last one first.
    pub(crate) at_exit: Vec<AtExit>,
    /// How much was sent to System V queues, and to streams, as long as they are taken to be never full.
    pub(crate) sent: [u64; 2],
    /// How much output there is.
    pub(crate) output: usize,
    /// The number of marks when this was last saved.
    pub(crate) stamp: u32,
}
