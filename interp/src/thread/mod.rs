//! Threads: register stacks, frames, and the operation that each stands before.
//!
//! All values of a thread live in one array of 64-bit slots. At its bottom lies a copy of the module's constant pool,
//! with the addresses put in, so that an operand is one indexed load whether it names a constant or a slot of the
//! frame. Frames follow one another above it.
pub(crate) mod jump;
pub(crate) mod thread_specific;

use crate::library::SecondHalf;
use crate::memory::StackId;
use crate::operation::Operation;
use crate::sync::block::data::{BlockNumber, NO_BLOCK};
use crate::sync::ends::Joined;
use crate::sync::symmetry::{Line, PlaceInLine};
use crate::thread::jump::Context;
use crate::thread::thread_specific::Farewell;
use crate::waiting::{Round, TurnId};
use frontend::ir::FuncId;
use por::{ObjectId, ThreadId};
use serde::{Deserialize, Serialize};

/// What [`por::System::Operation`] is for the machine: an operation together with what it touches, resolved when the
/// thread came to stand before it.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Pending {
    /// What will happen.
    pub operation: Operation,
    /// The objects that it touches, in the order that [`crate::sync`] defines; `NO_OBJECT` where there is none.
    pub(crate) objects: [ObjectId; 3],
    /// The life of the memory that it accesses, if its end is an action too.
    pub(crate) life: ObjectId,
    /// The bytes that a plain access touches as an action, counted from the start of the first granule.
    pub(crate) bytes: u32,
    /// Inside of an atomic block, whose end has not been reached.
    pub(crate) in_block: bool,
    /// The thread has gone round in vain, and goes no further in this execution.
    pub(crate) in_vain: bool,
    /// The number of the block that it begins, or in which it is.
    pub(crate) block: BlockNumber,
    /// What the thread does over and over again if it does not find what it looks for.
    pub(crate) turn: TurnId,
    /// The place of the thread among those that nothing tells apart, if this is its first operation.
    pub(crate) place: Option<PlaceInLine>,
    /// How the thread goes on. (What is written to a checkpoint is only asked for what it may touch.)
    #[serde(skip, default = "never")]
    pub(crate) resume: Resume,
}

fn never() -> Resume {
    Resume::Behind
}

/// Marks an unused entry of [`Pending::objects`].
pub(crate) const NO_OBJECT: ObjectId = ObjectId(u32::MAX);

/// How a thread goes on after a visible operation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Resume {
    /// The operation is that of the atomic instruction at which the thread stands, and so is the result.
    Instruction,
    /// The operation is the plain access of the instruction at which the thread stands, and so is the result.
    Access,
    /// The instruction at which the thread stands is done.
    Behind,
    /// The instruction at which the thread stands begins anew: it will come further now.
    Again,
    /// The result is that of the call at which the thread stands.
    Result,
    /// The call at which the thread stands is carried out by its model.
    Model,
    /// The model that raised the operation has a second half.
    Finish(SecondHalf),
    /// The call at which the thread stands enters this function, which is one atomic block.
    EnterBlock(FuncId),
}

/// Whether a thread takes part.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Status {
    /// It does not exist (yet) in this execution.
    Absent,
    /// It exists and stands before a pending operation (or is running right now).
    Alive,
    /// It has ended by itself.
    Exited,
    /// A fault, a limit, a failed assume or the end of the process stopped it.
    Stopped,
}

/// What a frame's return does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum After {
    /// The result goes to the call at which the frame below stands.
    Call,
    /// The thread ends with the result; `c11`: it is an `int`.
    Thread { c11: bool },
    /// The process ends with the result.
    Main,
    /// The next constructor runs, or main.
    Constructor(u32),
    /// Main runs, with the array of arguments that the function returns.
    Arguments,
    /// The next function that runs at exit.
    AtExit,
    /// What happens once is over; then the call at which the frame below stands is done.
    Once { control: u64 },
    /// The thread ends with that value, if there is no other destructor of a thread-specific value to call.
    Destructor { value: u64 },
}

/// One call of a function.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frame {
    /// Which function.
    pub(crate) function: FuncId,
    /// The instruction that it executes, or at whose call it waits.
    pub(crate) pc: u32,
    /// Index of its first slot.
    pub(crate) base: u32,
    /// How many slots it has.
    pub(crate) slots: u32,
    /// Its stack objects are those of [`Thread::allocas`] from here on.
    pub(crate) allocas: u32,
    /// The stack that called it, once it was asked for.
    pub(crate) callers: Option<StackId>,
    /// The instruction at which the stack was last asked for with this frame on top, and what it was.
    pub(crate) here: (u32, StackId),
    /// What returning does.
    pub(crate) after: After,
    /// Address of the variable arguments, 0 if there are none.
    pub(crate) variadic: u64,
    /// Returning ends an atomic block.
    pub(crate) block: bool,
    /// The number of marks when it was pushed.
    pub(crate) born: u32,
    /// The number of marks when it was pushed or last saved.
    pub(crate) stamp: u32,
}

/// The part of a thread's state that changes with every event.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Header {
    /// Whether it takes part.
    pub(crate) status: Status,
    /// How many events it has executed.
    pub(crate) events: u32,
    /// How many slots hold a value with undefined bits.
    pub(crate) undefined: u32,
    /// Depth of atomic blocks.
    pub(crate) block: u32,
    /// The number of the outermost one.
    pub(crate) block_number: BlockNumber,
    /// Threads that it created.
    pub(crate) children: u32,
    /// How many locks it holds, or left held when it ended. (Running what is to happen once counts as well.)
    pub(crate) holds: u32,
    /// What it returned.
    pub(crate) value: u64,
    /// What it stands before.
    pub(crate) pending: Option<Pending>,
}

/// The part that changes rarely.
#[derive(Clone, Default, Debug)]
pub(crate) struct Rare {
    /// The thread that created it, and how many events that thread had executed then.
    pub(crate) creator: Option<(ThreadId, u32)>,
    /// Its place among its creator's children.
    pub(crate) place: u32,
    /// Another thread had its number before.
    pub(crate) comes_again: bool,
    /// Function that it started with.
    pub(crate) routine: Option<FuncId>,
    /// What it started with, if that may tell it apart from others, or 0.
    pub(crate) argument: u64,
    /// The threads from which nothing tells it apart.
    pub(crate) line: Option<Line>,
    /// How many threads it still has to join, of all lines of which it has joined some.
    pub(crate) owes: u32,
    /// Address of its errno, 0 before the first use.
    pub(crate) errno: u64,
    /// Addresses of its thread-local variables, 0 before the first use.
    pub(crate) locals: Vec<u64>,
    /// Robust mutexes that it holds.
    pub(crate) robust: Vec<ObjectId>,
    /// It does not end where it comes to a cancellation point.
    pub(crate) cancellation_disabled: bool,
    /// Contexts of its cleanup handlers.
    pub(crate) cleanups: Vec<u64>,
    /// While these run: the value with which it ends.
    pub(crate) ends_with: u64,
    /// The bits of the result of its function that were never given a value.
    pub(crate) undefined_result: u64,
    /// Address of its values for keys, 0 before the first is set.
    pub(crate) specific: u64,
    /// How far it has got with them, when it ends.
    pub(crate) farewell: Farewell,
    /// Reader-writer locks that it holds for reading more than once: how often more.
    pub(crate) read_locks: Vec<(ObjectId, u32)>,
    /// Digest of what it wrote.
    pub(crate) output: u64,
    /// How many inputs it has read.
    pub(crate) inputs: u32,
    /// How many of the module's destructors it has started.
    pub(crate) destructors: u32,
    /// The status with which it is ending the process, while the functions registered for that run.
    pub(crate) exiting: Option<u64>,
    /// The address that was chosen for the block that it allocates next, 0 for a fresh one.
    pub(crate) chosen_address: Option<u64>,
    /// If it has ended as part of an action: how that and its local steps before it changed the state, its own term
    /// included.
    pub(crate) left: u128,
    /// Contexts that it can jump back to, in the order of their frames, all of which exist.
    pub(crate) contexts: Vec<Context>,
}

/// What other threads have done to a thread.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct Claim {
    /// It was joined or detached.
    pub(crate) claimed: bool,
    /// A thread has asked it to end.
    pub(crate) cancelled: bool,
    /// The thread that joined it, and how many events that thread had executed then.
    pub(crate) joiner: Option<(ThreadId, u32)>,
    /// If it is the first one of its line: those that have executed an action, by their places. (A number that is used
    /// again is in no line.)
    pub(crate) started: u32,
}

/// A thread.
#[derive(Clone, Debug)]
pub(crate) struct Thread {
    /// What changes with every event.
    pub(crate) header: Header,
    /// What changes rarely.
    pub(crate) rare: Rare,
    /// What other threads have done to it.
    pub(crate) claim: Claim,
    /// Places of its own children that it has joined, and that may be given to new ones, the largest first.
    pub(crate) free_places: Vec<u32>,
    /// The call stack, outermost first.
    pub(crate) frames: Vec<Frame>,
    /// The constant pool, then the slots of all frames, then room.
    pub(crate) regs: Vec<u64>,
    /// For each slot which bits are undefined; empty as long as none ever was.
    pub(crate) shadows: Vec<u64>,
    /// Addresses of its stack objects.
    pub(crate) allocas: Vec<u64>,
    /// The joins that were parts of actions.
    pub(crate) joined: Vec<Joined>,
    /// Where it stood behind its last actions, if it may go round.
    pub(crate) rounds: Vec<Round>,
    /// The number of marks when the header was last saved.
    pub(crate) stamp: u32,
    /// The number of marks when the rare part was last saved.
    pub(crate) rare_stamp: u32,
}

impl Header {
    /// That of a thread that does not exist yet.
    pub(crate) const ABSENT: Header = Header {
        status: Status::Absent,
        events: 0,
        undefined: 0,
        block: 0,
        block_number: NO_BLOCK,
        children: 0,
        holds: 0,
        value: 0,
        pending: None,
    };
}

impl Thread {
    /// A thread that does not exist yet.
    pub(crate) fn absent(constants: &[u64]) -> Self {
        Thread {
            header: Header::ABSENT,
            rare: Rare::default(),
            claim: Claim::default(),
            free_places: Vec::new(),
            frames: Vec::new(),
            regs: constants.to_vec(),
            shadows: Vec::new(),
            allocas: Vec::new(),
            joined: Vec::new(),
            rounds: Vec::new(),
            stamp: 0,
            rare_stamp: 0,
        }
    }

    /// Whether any slot has undefined bits.
    pub(crate) fn tracks(&self) -> bool {
        self.header.undefined != 0
    }

    /// The frame on top.
    pub(crate) fn top(&self) -> &Frame {
        self.frames.last().expect("a running thread has a frame")
    }

    /// The frame on top.
    pub(crate) fn top_mut(&mut self) -> &mut Frame {
        self.frames.last_mut().expect("a running thread has a frame")
    }
}
