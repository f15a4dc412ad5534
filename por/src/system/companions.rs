//! What it takes to explore a system with several workers: one for each of them.
use super::System;

/// A system of which there can be several that mean the same. By default there cannot.
pub trait Companions: System + Sized {
    /// Another system for the same program, prepared as this one was, and in its initial state: [`System::start`] has
    /// not been called. Now and later, the two give the same numbers to the same threads and objects, and the same
    /// labels to the same variants; and there are no decisions ([`super::Decisions`]). The error says why there can be
    /// none.
    fn companion(&mut self) -> Result<Self, String> {
        Err("the system can be explored by one worker only".to_owned())
    }

    /// The exploration is over: takes over what the other one, a companion of this one or the one whose companion it
    /// is, has counted and gathered for reports.
    fn absorb(&mut self, other: &Self) {
        let _ = other;
    }
}
