//! What happens once: the first thread that comes calls the routine, and a thread that comes while it runs waits.
//!
//! The beginning and the end of the routine are actions; between them the thread runs code of the program. When the
//! routine is over, a thread that comes only reads, so such threads do not depend on one another.
//!
//! That it is over is also in its bytes, as with glibc. So a second initialisation is noticed; what happens after it is
//! not modelled.
use super::SyncState;
use crate::machine::Machine;
use crate::memory::Mode;
use crate::step::{Flow, Halt};
use crate::thread::After;
use crate::verdict::fault::Kind;
use por::{ObjectId, ThreadId};

/// What messages call a once control.
const NOUN: &str = "once control";
/// Bytes of a pthread_once_t, and of a once_flag.
const BYTES: u64 = 4;
/// The value of the bytes when the routine is over.
const DONE: u64 = 2;

/// How far the routine is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Once {
    /// This thread runs the routine.
    Running(ThreadId),
    /// It is over.
    Over,
}

/// The word; 0 before it has begun.
pub(super) fn word(once: Once) -> u64 {
    match once {
        Once::Running(thread) => u64::from(thread.0) + 2,
        Once::Over => OVER,
    }
}

/// The word when it is over.
pub(super) const OVER: u64 = 1;

/// The thread that runs the routine, if the word says that it runs.
pub(super) fn runner(word: u64) -> Option<ThreadId> {
    u32::try_from(word.checked_sub(2)?).ok().map(ThreadId)
}

impl Machine {
    /// A thread comes to a once control. Returns whether it has to call the routine.
    pub(super) fn begin_once(&mut self, control: u64, object: ObjectId) -> Result<bool, Halt> {
        let me = self.segment.current;
        match self.in_use(NOUN, (control, BYTES), object)? {
            SyncState::Once(Once::Over) => {
                if self.state.memory.peek(control, BYTES) != DONE {
                    let name = self.name_of(control);
                    let reason =
                        format!("{NOUN} {name} is written to, or initialised again, after it was used{}", self.at());
                    return Err(Halt::unknown(reason));
                }
                self.state.memory.race.acquire(me, object);
                Ok(false)
            }
            SyncState::Once(Once::Running(runner)) => {
                assert!(runner == me, "{runner:?} runs the routine");
                let name = self.name_of(control);
                let message = format!("the routine of {NOUN} {name} comes to it again, and waits for itself");
                Err(Halt::fault(Kind::Deadlock, message))
            }
            _ => {
                if self.state.memory.peek(control, BYTES) != 0 {
                    return Err(self.misuse_of(NOUN, control, "does not hold its initial value"));
                }
                self.set_sync_state(object, SyncState::Once(Once::Running(me)));
                Ok(true)
            }
        }
    }

    /// The current thread calls the routine; after that it comes to the operation that ends it.
    pub(crate) fn call_once(&mut self, control: u64, routine: u64) -> Result<Flow, Halt> {
        let function = self.function_at(routine)?;
        self.enter_root(function, &[], After::Once { control })?;
        Ok(Flow::Next)
    }

    /// The routine is over.
    pub(super) fn end_once(&mut self, control: u64, object: ObjectId) -> Result<(), Halt> {
        let origin = self.origin(Mode::Synchronising);
        self.state.memory.store(&origin, control, BYTES, DONE)?;
        self.set_sync_state(object, SyncState::Once(Once::Over));
        self.state.memory.race.release(self.segment.current, object);
        Ok(())
    }

    /// Whether the current thread is in the middle of such a routine.
    pub(super) fn is_in_once(&self) -> bool {
        self.thread(self.segment.current).frames.iter().any(|frame| matches!(frame.after, After::Once { .. }))
    }
}
