//! What is wrong in states in which some threads can move.
use super::{Decisions, Findings, Fingerprints, ThreadId};

/// A system that can say it. By default nothing is wrong there. (That threads only spin is found by states that come again.)
pub trait Livelocks: Fingerprints + Decisions {
    /// Called in a state in which some threads can move. What is wrong whatever they do: a livelock, threads that wait
    /// for one another, a process that has ended and left something undone. `spinning`: whoever can move spins for ever,
    /// and is one of these; empty if that is not so, or not known.
    fn stuck(&mut self, spinning: &[ThreadId]) -> Findings<Self::Fault> {
        let _ = spinning;
        Findings::default()
    }

    /// Whether [`Livelocks::stuck`] wants to know who spins.
    fn looks_for_livelocks(&self) -> bool {
        false
    }
}
