//! What it takes to check fingerprints: whole states.
use super::{Fingerprints, Step, ThreadId};

/// Which local steps come together with an action.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LocalSteps {
    /// Those of its thread behind it.
    pub own: bool,
    /// The first ones of the thread that it creates.
    pub child: bool,
}

/// A system of which whole states can be compared. By default it has no twin, and fingerprints are not checked.
pub trait Twins: Fingerprints {
    /// Another system that stands where this one stands, for checking fingerprints; `None` if that cannot be done.
    /// Numbers of threads are those of this one. Called before [`System::start`].
    fn twin(&self) -> Option<Self>
    where
        Self: Sized,
    {
        None
    }

    /// Like [`System::execute`], with some local steps left out. A thread whose steps were left out does not move
    /// before this is undone. Only twins are asked.
    fn execute_partly(&mut self, thread: ThreadId, label: u32, steps: LocalSteps) -> Step<Self::Fault> {
        let _ = (thread, label, steps);
        unreachable!("only twins are asked")
    }

    /// Everything in the current state that may decide how the system goes on, each thing in a line of its own. Found
    /// by looking at all of it, not from what has changed; equal for equal states. A thread whose local steps were left
    /// out stands right behind its action. Only twins are asked, once where they stand.
    fn whole_state(&mut self) -> Vec<String> {
        unreachable!("only twins are asked")
    }
}
