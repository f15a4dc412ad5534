//! What can be wrong with an access.
use super::{ObjectInfo, StackId};
use crate::library::hooks::Rights;
use crate::race::Race;

/// Why an access, an allocation or a free did not happen.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum AccessError {
    /// A violation of the rules of memory.
    Memory(Box<MemoryError>),
    /// A data race.
    Race(Box<Race>),
    /// Promoted memory is accessed by something that is not an action.
    Promoted {
        /// The first such byte.
        address: u64,
    },
    /// A limit of ours; the verdict becomes unknown for this reason.
    Unknown(String),
}

/// A violation of the rules of memory.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MemoryError {
    /// What was tried.
    pub attempt: Attempt,
    /// What is wrong with it.
    pub problem: Problem,
    /// The address it was tried at.
    pub address: u64,
    /// How many bytes (0 for a free).
    pub size: u64,
    /// The object concerned, if there is one.
    pub object: Option<ObjectInfo>,
}

/// What was tried.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Attempt {
    /// A read.
    Read,
    /// A write.
    Write,
    /// `free`, `realloc` and their like.
    Free,
    /// The size of a heap block was asked for.
    SizeOf,
    /// An operation on a synchronisation object.
    Synchronise,
}

/// What is wrong.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Problem {
    /// The null pointer, or an address just above it.
    Null,
    /// No object was ever there.
    Unmapped,
    /// The address of a function or a label.
    Code,
    /// Outside the object, or only partly inside it.
    OutOfBounds {
        /// Where the access starts, relative to the object.
        offset: i64,
    },
    /// The heap block was freed.
    AfterFree,
    /// The variable's function has returned, or its thread has ended.
    AfterReturn,
    /// The variable's block has ended; its function has not returned.
    AfterScope,
    /// A write to a constant.
    Constant,
    /// The address is not a multiple of the alignment that was asked for.
    Misaligned {
        /// The alignment asked for.
        align: u64,
    },
    /// Not the start of a heap block.
    NotABlock {
        /// Where the address is, relative to the object.
        offset: i64,
    },
    /// A free of something that is not on the heap.
    NotOnHeap,
    /// The page was given back by `munmap`, and the rest of the mapping was not.
    AfterUnmap {
        /// Where.
        site: Site,
    },
    /// The page may not be accessed like that (`mmap`, `mprotect`).
    Protected {
        /// What may be done with it.
        rights: Rights,
    },
}

/// Where something happened, for reports.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Site {
    /// The thread that did it.
    pub thread: por::ThreadId,
    /// How many events of the thread must have happened for this to happen.
    pub event: u32,
    /// The call stack of the thread.
    pub stack: StackId,
}
