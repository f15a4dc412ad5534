//! Cancellation, at cancellation points: a thread that is asked to end does so where it comes to one, or where it waits
//! at one.
//!
//! Whether a thread is asked to is a lane of the thread. A call that is a point becomes an action that reads it;
//! waiting for a signal, a semaphore or another thread can go on in one more way. Programs that never call
//! `pthread_cancel` have none of these actions. A thread that ends runs its cleanup handlers, as code of the program,
//! and then the destructors of its thread-specific values.
use crate::fingerprint::{Term, words};
use crate::machine::Machine;
use crate::operation::Operation;
use crate::step::{Flow, Halt};
use crate::thread::Status;
use crate::verdict::fault::Kind;
use por::ThreadId;

/// Lane of a thread: a thread has asked it to end.
pub(crate) const CANCELLED: u64 = 4;

/// The variant of waiting, and of a point that need not be one, in which the thread ends.
pub(crate) const IS_CANCELLED: u32 = 2;

impl Machine {
    /// Whether the current thread ends at a cancellation point if it is asked to.
    pub(crate) fn can_be_cancelled(&self) -> bool {
        self.program.cancels && !self.thread(self.segment.current).rare.cancellation_disabled
    }

    /// Switches cancellation of the current thread on or off; whether it was on.
    pub(crate) fn enable_cancellation(&mut self, on: bool) -> bool {
        let disabled = self.thread(self.segment.current).rare.cancellation_disabled;
        if disabled == on {
            self.rare_mut(self.segment.current).cancellation_disabled = !on;
        }
        !disabled
    }

    /// Asks a thread to end.
    pub(super) fn cancel(&mut self, handle: u64) -> Result<(), Halt> {
        let Some(target) = self.thread_of_handle(handle) else {
            return Err(Halt::fault(Kind::Misuse, "cancellation of something that is no thread"));
        };
        self.note_handle_used(target);
        if self.thread(target).claim.claimed && self.thread(target).header.status == Status::Exited {
            let message =
                format!("cancellation of {}, which is over and was joined or detached", self.thread_name(target));
            return Err(Halt::fault(Kind::Misuse, message));
        }
        // The other thread learns nothing from the cancellation.
        self.note_unordered();
        if !self.thread(target).claim.cancelled {
            self.set_cancelled(target, true);
        }
        Ok(())
    }

    fn set_cancelled(&mut self, id: ThreadId, cancelled: bool) {
        let thread = &mut self.state.threads[id.index()];
        self.log.save_claim(id, thread.claim);
        thread.claim.cancelled = cancelled;
        let term = words(Term::Cancelled, |words| words.add(id.0));
        self.follow_claim(if cancelled { term } else { 0u128.wrapping_sub(term) });
    }

    /// A thread that is joined can no longer be asked to end.
    pub(super) fn forget_cancellation(&mut self, id: ThreadId) {
        if self.thread(id).claim.cancelled {
            self.set_cancelled(id, false);
        }
    }

    /// The operation that the current thread stands before when it acts upon a cancellation.
    pub(super) fn end_by_cancellation(&mut self) -> Operation {
        self.note_unordered();
        self.enable_cancellation(false);
        Operation::ThreadExit { value: self.program.pointer_mask }
    }

    /// Remembers a cleanup handler: the context to go back to.
    pub(crate) fn push_cleanup(&mut self, buffer: u64) {
        self.rare_mut(self.segment.current).cleanups.push(buffer);
    }

    /// Forgets the last cleanup handler, which must be the one with this buffer.
    pub(crate) fn pop_cleanup(&mut self, buffer: u64) -> Result<(), Halt> {
        if self.thread(self.segment.current).rare.cleanups.last() != Some(&buffer) {
            return Err(Halt::fault(Kind::Misuse, "cleanup handlers are not taken away in the order of their coming"));
        }
        self.rare_mut(self.segment.current).cleanups.pop();
        Ok(())
    }

    /// The current thread, which ends with this value, goes back to its last cleanup handler; `None` if there is none.
    pub(crate) fn next_cleanup(&mut self, value: u64) -> Result<Option<Flow>, Halt> {
        let rare = &self.thread(self.segment.current).rare;
        let Some(buffer) = rare.cleanups.last().copied() else { return Ok(None) };
        let rare = self.rare_mut(self.segment.current);
        rare.cleanups.pop();
        rare.ends_with = value;
        rare.cancellation_disabled = true;
        self.restore_context(buffer, 1).map(Some)
    }
}
