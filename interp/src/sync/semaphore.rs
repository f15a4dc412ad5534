//! Semaphores. All operations on one depend on one another: each changes or looks at the value.
//!
//! A thread that takes one away learns of all that was done before the posts so far. (An addition that was not needed
//! is among them; but then another execution has them the other way round.) Nothing else is learned, so one operation
//! may follow another without being ordered with it.
//!
//! The word is the value plus one, and 0 where there is no semaphore. The initialisation changes the word, so it is an
//! action too.
use super::SyncState;
use super::mutex::errno;
use crate::machine::Machine;
use crate::operation::Patience;
use crate::step::Halt;
use por::ObjectId;

/// What a misused one is called.
pub(crate) const NOUN: &str = "semaphore";
/// The greatest value.
const MOST: u32 = i32::MAX as u32;

/// Whether waiting may go on: there is one to be had, or it is a mistake.
pub(crate) fn can_take(word: u64) -> bool {
    word != 1
}

impl Machine {
    /// Bytes of a sem_t.
    pub(crate) fn semaphore_bytes(&self) -> u64 {
        if self.program.pointer_bytes == 8 { 32 } else { 16 }
    }

    /// The value of a semaphore that is being used; with all checks.
    fn semaphore(&mut self, address: u64, object: ObjectId) -> Result<u32, Halt> {
        self.note_unordered();
        match self.in_use(NOUN, (address, self.semaphore_bytes()), object)? {
            SyncState::Semaphore { value } => Ok(value),
            _ => Err(self.misuse_of(NOUN, address, "is used before it is initialised")),
        }
    }

    /// Takes one away.
    pub(super) fn semaphore_wait(&mut self, at: (u64, ObjectId), patience: Patience) -> Result<u64, Halt> {
        let Some(less) = self.semaphore(at.0, at.1)?.checked_sub(1) else {
            return Ok(if patience == Patience::Never { errno::EAGAIN } else { errno::ETIMEDOUT });
        };
        self.set_sync_state(at.1, SyncState::Semaphore { value: less });
        self.state.memory.race.acquire(self.segment.current, at.1);
        Ok(0)
    }

    /// Adds one.
    pub(super) fn semaphore_post(&mut self, address: u64, object: ObjectId) -> Result<u64, Halt> {
        let value = self.semaphore(address, object)?;
        if value == MOST {
            return Ok(errno::EOVERFLOW);
        }
        self.set_sync_state(object, SyncState::Semaphore { value: value + 1 });
        self.state.memory.race.release_more(self.segment.current, object);
        Ok(0)
    }

    /// Looks at the value.
    pub(super) fn semaphore_value(&mut self, address: u64, object: ObjectId) -> Result<u64, Halt> {
        self.semaphore(address, object).map(u64::from)
    }

    /// Destroys a semaphore. A thread that waits for it then uses what was destroyed.
    pub(super) fn destroy_semaphore(&mut self, address: u64, object: ObjectId) -> Result<u64, Halt> {
        self.semaphore(address, object)?;
        self.destroy(address, object)
    }

    /// Prepares a semaphore.
    pub(super) fn semaphore_init(&mut self, address: u64, object: ObjectId, value: u32) -> Result<u64, Halt> {
        if value > MOST {
            return Ok(errno::EINVAL);
        }
        self.renew(NOUN, (address, self.semaphore_bytes()), object)?;
        self.set_sync_state(object, SyncState::Semaphore { value });
        Ok(0)
    }
}
