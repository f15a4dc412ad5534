//! Data races by happens-before.
//!
//! The detector keeps a vector clock per thread, synchronisation object and atomic location, and for every 64 bytes of
//! memory the last accesses that can still race. It follows C11 as published, with these choices:
//! - **Release sequences** are those of the language of the program, see the module `sequence`.
//! - **A sequentially consistent fence** is a release and an acquire fence.
//! - **Freeing**, or the end of a variable's life, is a plain write of every byte.
//! - **An operation on a synchronisation object** is an atomic read of its bytes, so that it races with an
//!   unordered initialisation, overwriting or freeing of the object.
//! - Under [`RaceModel::Sc`] every atomic access has the effect of a sequentially consistent one. A load still
//!   publishes nothing: no thread can observe it.
//!
//! While only one thread has ever existed, nothing is recorded: the first creation orders all of it before the other
//! threads.
mod clock;
mod detector;
mod journal;
mod normal;
mod reading;
mod sequence;
mod shadow;
#[cfg(test)]
mod tests;

pub use detector::Detector;
pub(crate) use detector::Gathered;
use journal::Page;
pub(crate) use shadow::Records;

use crate::memory::{Mode, ObjectKind, Origin, StackId};
use por::ThreadId;
use serde::{Deserialize, Serialize};

/// What orders accesses of different threads.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum RaceModel {
    /// The relation of C11 and C17: a relaxed atomic orders nothing, but carries on a release sequence of its thread.
    /// To a program in whose language it does not ([`frontend::ir::ReleaseSequences`]) the machine applies
    /// [`RaceModel::C20`].
    C11,
    /// The relation of C++20: only read-modify-writes carry on a release sequence.
    C20,
    /// Every atomic access synchronises as a sequentially consistent one does.
    Sc,
}

/// One of the two accesses of a race.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RaceAccess {
    /// The thread that made the access.
    pub thread: ThreadId,
    /// How many events of that thread must have happened for the access to happen.
    pub event: u32,
    /// The call stack at the access.
    pub stack: StackId,
    /// Whether it writes.
    pub write: bool,
    /// Whether the access is plain or atomic.
    pub mode: Mode,
}

impl RaceAccess {
    pub(crate) fn new(origin: &Origin, write: bool) -> Self {
        RaceAccess { thread: origin.thread, event: origin.event, stack: origin.stack, write, mode: origin.mode }
    }
}

/// Two conflicting accesses that nothing orders.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Race {
    /// The first byte that both touch.
    pub address: u64,
    /// The place that the byte is part of, independent of addresses.
    pub location: RaceLocation,
    /// The access made earlier in this execution.
    pub first: RaceAccess,
    /// The access that was just tried.
    pub second: RaceAccess,
    /// What made the second access.
    pub cause: Cause,
}

/// What made an access that races.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cause {
    /// A load or store.
    Access,
    /// An operation on a synchronisation object.
    Synchronisation,
    /// A free, or the end of a variable's life.
    EndOfLife,
}

/// A place that races, independent of addresses: two objects allocated at the same place of the program are one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct RaceLocation {
    /// What the object is.
    pub kind: ObjectKind,
    /// Where it was allocated.
    pub allocated: StackId,
    /// The first byte that both accesses touch, relative to the object.
    pub first: u64,
    /// The last such byte within the same 64 bytes.
    pub last: u64,
}

impl RaceLocation {
    /// No byte of such objects, but the end of their lives: operations on synchronisation objects in them race with it.
    pub(crate) fn end(self) -> RaceLocation {
        RaceLocation { first: u64::MAX, last: 0, ..self }
    }
}
