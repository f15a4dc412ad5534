//! Data races by happens-before.
use crate::memory::{Mode, Origin, StackId};
use frontend::ir::Ordering;
use por::{ObjectId, ThreadId};

/// What orders accesses of different threads.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum RaceModel {
    /// The C standard's relation: a relaxed atomic orders nothing.
    C11,
    /// Every atomic access synchronises as a sequentially consistent one does.
    Sc,
}

/// One of the two accesses of a race.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RaceAccess {
    /// By which thread.
    pub thread: ThreadId,
    /// How many events of that thread must have happened for the access to happen.
    pub event: u32,
    /// Where.
    pub stack: StackId,
    /// Whether it writes.
    pub write: bool,
    /// Plain or atomic.
    pub mode: Mode,
}

/// Two conflicting accesses that nothing orders.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Race {
    /// The first byte that both touch.
    pub address: u64,
    /// The access made earlier in this execution.
    pub first: RaceAccess,
    /// The access that was just tried.
    pub second: RaceAccess,
    /// The second access is a free, or the end of a variable's life.
    pub end_of_life: bool,
}

/// The clocks of threads, synchronisation objects and atomic locations.
///
/// Every method that publishes a thread's clock (release, fork, …) also advances it, so what the thread does afterwards
/// is not covered by what it published.
#[derive(Clone, Debug)]
pub struct Detector {
    model: RaceModel,
}

impl Detector {
    /// No threads.
    pub fn new(model: RaceModel) -> Self {
        Detector { model }
    }
    /// The model in use.
    pub fn model(&self) -> RaceModel {
        self.model
    }
    /// The first thread exists.
    pub fn start(&mut self, first: ThreadId) {
        let _ = first;
        unreachable!()
    }
    /// `parent` creates `child`: what it did so far happens before everything that the child does.
    pub fn fork(&mut self, parent: ThreadId, child: ThreadId) {
        let _ = (parent, child);
        unreachable!()
    }
    /// Everything that `ended` did happens before what `thread` does from now on.
    pub fn join(&mut self, thread: ThreadId, ended: ThreadId) {
        let _ = (thread, ended);
        unreachable!()
    }
    /// From now on `thread` runs. To be called whenever another thread starts to run, before its first access.
    pub fn enter(&mut self, thread: ThreadId) {
        let _ = thread;
        unreachable!()
    }
    /// The thread learns what was released to the object (lock, wake-up, …).
    pub fn acquire(&mut self, thread: ThreadId, object: ObjectId) {
        let _ = (thread, object);
        unreachable!()
    }
    /// The object's clock becomes the thread's (unlock of a mutex: whoever locks it next knows it all).
    pub fn release(&mut self, thread: ThreadId, object: ObjectId) {
        let _ = (thread, object);
        unreachable!()
    }
    /// The object's clock grows by the thread's (semaphores, barriers, reader locks: several releases meet).
    pub fn release_more(&mut self, thread: ThreadId, object: ObjectId) {
        let _ = (thread, object);
        unreachable!()
    }
    /// An atomic load of the bytes in `bytes` (a mask) of a granule. Also the load of a failed exchange.
    pub fn atomic_load(
        &mut self,
        thread: ThreadId,
        granule: ObjectId,
        bytes: u8,
        ordering: Ordering,
    ) {
        let _ = (thread, granule, bytes, ordering);
        unreachable!()
    }
    /// An atomic store.
    pub fn atomic_store(
        &mut self,
        thread: ThreadId,
        granule: ObjectId,
        bytes: u8,
        ordering: Ordering,
    ) {
        let _ = (thread, granule, bytes, ordering);
        unreachable!()
    }
    /// An atomic read-modify-write, or a successful exchange.
    pub fn atomic_rmw(
        &mut self,
        thread: ThreadId,
        granule: ObjectId,
        bytes: u8,
        ordering: Ordering,
    ) {
        let _ = (thread, granule, bytes, ordering);
        unreachable!()
    }
    /// A fence (not a compiler-only one).
    pub fn fence(&mut self, thread: ThreadId, ordering: Ordering) {
        let _ = (thread, ordering);
        unreachable!()
    }
}

impl RaceAccess {
    pub(crate) fn new(origin: &Origin, write: bool) -> Self {
        RaceAccess {
            thread: origin.thread,
            event: origin.event,
            stack: origin.stack,
            write,
            mode: origin.mode,
        }
    }
}
