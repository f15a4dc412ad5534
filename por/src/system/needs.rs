//! What an engine needs of a system, beyond the order of its actions.

/// Said once, before the system starts; see [`System::prepare`](super::System::prepare).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Needs {
    /// States come again: what is freed and made anew is the same as before, as far as that is possible. (Cutoffs.)
    pub states: bool,
    /// What operations do to what they write is said truly: [`Commuting::effect`](super::Commuting::effect).
    pub effects: bool,
    /// A thread that goes round a loop until it reads something else waits: the engine cannot end an execution there
    /// itself.
    pub waits: bool,
    /// Ends of threads and joins need be no actions, see [`System::joined`](super::System::joined).
    pub joined: bool,
    /// There is a mark before each action, so that what has changed since is what that action has changed.
    pub marks: bool,
}
