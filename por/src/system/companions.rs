//! What it takes to explore a system with several workers: one for each of them.
use super::System;

/// A system of which there can be several that mean the same. By default there cannot.
pub trait Companions: System + Clone {
    /// `other` is a clone of this system that was made before the start, and not started. From now on, the two give the
    /// same numbers to the same threads and objects, and the same labels to the same variants; the fingerprints of two
    /// states ([`super::Fingerprints::state`]) are the same only if the states are, whoever says them; and there are no
    /// decisions ([`super::Decisions`]) unless the exploration has to start again. So do their clones. The error says
    /// why that cannot be.
    fn share_numbers(&mut self, other: &mut Self) -> Result<(), String> {
        let _ = other;
        Err("this system can have one worker only".to_owned())
    }

    /// The exploration is over: takes over what the other one has seen in its executions and forgets nowhere. True: it
    /// follows from what both have seen together that the exploration has to start again, with what this one has
    /// learned now. The two have shared their numbers.
    fn compare(&mut self, other: &Self) -> bool {
        let _ = other;
        false
    }

    /// The exploration is over: takes over what the other one has counted and gathered for reports. The two have shared
    /// their numbers.
    fn absorb(&mut self, other: &Self) {
        let _ = other;
    }
}
