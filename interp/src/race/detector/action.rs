//! Whether an action is ordered with others as its event is.
//!
//! An event that depends on another one comes behind all of it, and so it does for the clocks if actions release last:
//! a thread that learns of the action by what it releases then knows of all its accesses, and of all that it knew. An
//! atomic block is one action and may do otherwise: its accesses after a release are not known to a thread that
//! acquires that, although that one's event depends on the block's. (That an action accesses something and then
//! acquires is harmless. The same accesses are made if it comes before what it acquires.)
use super::Detector;

/// What the current action has done.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Action {
    /// It goes on; what happens otherwise are local steps.
    on: bool,
    /// Something was released.
    released: bool,
    /// That was not the last thing that it did.
    mixed_up: bool,
}

impl Detector {
    /// An action begins, perhaps in the middle of an atomic block, of which nothing is known.
    pub(crate) fn begin_action(&mut self, in_block: bool) {
        self.action = Action { on: true, released: in_block, mixed_up: false };
    }

    /// Whether the action did anything after a release.
    pub(crate) fn action_was_mixed_up(&mut self) -> bool {
        std::mem::take(&mut self.action.mixed_up)
    }

    /// Local steps begin; whether they do so in the middle of an action.
    pub(in crate::race) fn leave_action(&mut self) -> bool {
        std::mem::take(&mut self.action.on)
    }

    /// An action goes on after local steps of another thread.
    pub(in crate::race) fn return_to_action(&mut self, on: bool) {
        self.action.on = on;
    }

    /// Something is accessed or acquired.
    #[inline]
    pub(super) fn note_ordered(&mut self) {
        self.action.mixed_up |= self.action.on && self.action.released;
    }

    /// Something is released.
    #[inline]
    pub(super) fn note_released(&mut self) {
        self.action.released |= self.action.on;
    }
}
