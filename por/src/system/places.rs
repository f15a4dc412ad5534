//! Where threads stand in their code, for those who sample schedules.
use super::{System, ThreadId};

/// A system whose threads run code. What is said here decides which schedules are tried first, and nothing else.
pub trait Places: System {
    /// A number for the place in the code where the thread stands: threads that stand at one place are about to do the
    /// same, each for itself. By default each thread has one place of its own.
    fn place(&self, thread: ThreadId) -> u64 {
        u64::from(thread.0)
    }
}
