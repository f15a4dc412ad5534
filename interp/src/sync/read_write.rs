//! Reader-writer locks. Readers do not depend on one another.
//!
//! Bit `t` of the word is set while thread `t` holds the lock, the highest one as well while it does so for writing. A
//! reader looks at the highest bit only, so that the order of readers is not explored; a writer looks at all.
//!
//! A thread that can have the lock may have it: readers do not wait for a writer that waits, as with glibc's default
//! kind. (POSIX leaves that open. Under the other rule fewer schedules are possible, and a thread that reads twice may
//! wait for itself.)
//!
//! Only writers learn what readers release. So writers leave their knowledge in one place, and readers leave theirs in
//! another.
use super::SyncState;
use super::footprint::lane;
use super::mutex::errno;
use crate::machine::Machine;
use crate::operation::Patience;
use crate::step::Halt;
use crate::verdict::fault::Kind;
use frontend::ir::Ordering;
use por::{ObjectId, ThreadId};

/// The lane that says whether the lock is held for writing.
pub(crate) const WRITER: u64 = 1 << 63;
/// What messages call a read-write lock.
pub(crate) const NOUN: &str = "read-write lock";
/// The places in the clocks of the object: for the clock that writers release, and for the clock that readers release.
const BY_WRITERS: u8 = 1;
const BY_READERS: u8 = 2;

/// Whether a lock with this word can be had by a thread for reading. (If the thread itself holds it for writing, it
/// waits for itself, which is a fault of its own.)
pub(crate) fn can_read(word: u64, thread: ThreadId) -> bool {
    word & WRITER == 0 || word & lane(thread) != 0
}

/// The same for writing.
pub(crate) fn can_write(word: u64, thread: ThreadId) -> bool {
    word == 0 || word & lane(thread) != 0
}

/// The threads that hold a lock with this word.
pub(crate) fn holders(word: u64) -> impl Iterator<Item = ThreadId> {
    (0..63).filter(move |t| word >> t & 1 != 0).map(ThreadId)
}

impl Machine {
    /// Bytes of a pthread_rwlock_t.
    pub(crate) fn read_write_bytes(&self) -> u64 {
        if self.program.pointer_bytes == 8 { 56 } else { 32 }
    }

    /// The word of a lock that is being used, and the lane of the thread that uses it; with all checks.
    fn read_write(&mut self, address: u64, object: ObjectId) -> Result<(u64, u64), Halt> {
        let own = lane(self.segment.current);
        if own & !WRITER == 0 {
            return Err(Halt::unknown("limit: more than 63 threads in a program that uses read-write locks"));
        }
        match self.in_use(NOUN, (address, self.read_write_bytes()), object)? {
            SyncState::ReadWrite { word } => Ok((word, own)),
            _ => Ok((0, own)),
        }
    }

    /// The result of waiting for a lock that others hold, and that will not be had.
    fn gives_up(&mut self, patience: Patience) -> u64 {
        self.note_unordered();
        if patience == Patience::Never { errno::EBUSY } else { errno::ETIMEDOUT }
    }

    fn waits_for_itself(&self, address: u64, how: &str) -> Halt {
        let name = self.name_of(address);
        Halt::fault(
            Kind::Deadlock,
            format!("the thread locks {NOUN} {name}, which it holds {how}, and waits for itself"),
        )
    }

    /// Locks for reading.
    pub(super) fn read_lock(&mut self, at: (u64, ObjectId), patience: Patience) -> Result<u64, Halt> {
        let (word, own) = self.read_write(at.0, at.1)?;
        if word & WRITER != 0 {
            if word & own != 0 && patience == Patience::Forever {
                return Err(self.waits_for_itself(at.0, "for writing"));
            }
            return Ok(self.gives_up(patience));
        }
        if word & own != 0 {
            self.count_read_lock(at.1, 1);
        } else {
            self.set_sync_state(at.1, SyncState::ReadWrite { word: word | own });
        }
        self.state.memory.race.atomic_load(self.segment.current, at.1, BY_WRITERS, Ordering::Acquire);
        Ok(0)
    }

    /// Locks for writing.
    pub(super) fn write_lock(&mut self, at: (u64, ObjectId), patience: Patience) -> Result<u64, Halt> {
        let (word, own) = self.read_write(at.0, at.1)?;
        if word != 0 {
            if word & own != 0 && patience == Patience::Forever {
                let how = if word & WRITER != 0 { "already" } else { "for reading" };
                return Err(self.waits_for_itself(at.0, how));
            }
            return Ok(self.gives_up(patience));
        }
        self.set_sync_state(at.1, SyncState::ReadWrite { word: WRITER | own });
        self.state.memory.race.atomic_load(self.segment.current, at.1, BY_WRITERS | BY_READERS, Ordering::Acquire);
        Ok(0)
    }

    /// Unlocks, whichever way it is held.
    pub(super) fn read_write_unlock(&mut self, address: u64, object: ObjectId) -> Result<u64, Halt> {
        let (word, own) = self.read_write(address, object)?;
        if word & own == 0 {
            let what = match holders(word).next() {
                None => "is unlocked, but nobody holds it".to_owned(),
                Some(other) => {
                    format!("is unlocked, but not the thread that does so holds it, {} does", self.thread_name(other))
                }
            };
            return Err(self.misuse_of(NOUN, address, &what));
        }
        if word & WRITER != 0 || !self.count_read_lock(object, -1) {
            self.release_read_write(object, word);
        }
        Ok(0)
    }

    /// The current thread, which holds a lock with that word, does so no longer.
    pub(crate) fn release_read_write(&mut self, object: ObjectId, word: u64) {
        let me = self.segment.current;
        if word & WRITER != 0 {
            self.set_sync_state(object, SyncState::ReadWrite { word: 0 });
            self.state.memory.race.atomic_store(me, object, BY_WRITERS | BY_READERS, Ordering::Release);
        } else {
            self.set_sync_state(object, SyncState::ReadWrite { word: word & !lane(me) });
            self.state.memory.race.atomic_rmw(me, object, BY_READERS, Ordering::Release);
        }
    }

    /// Counts how often more than once the current thread holds a lock for reading; false if that would be less than
    /// none.
    fn count_read_lock(&mut self, object: ObjectId, change: i32) -> bool {
        let locks = &self.thread(self.segment.current).rare.read_locks;
        let place = locks.iter().position(|(lock, _)| *lock == object);
        match (place, change > 0) {
            (None, false) => return false,
            (None, true) => self.rare_mut(self.segment.current).read_locks.push((object, 1)),
            (Some(place), _) => {
                let locks = &mut self.rare_mut(self.segment.current).read_locks;
                locks[place].1 = locks[place].1.wrapping_add_signed(change);
                if locks[place].1 == 0 {
                    locks.remove(place);
                }
            }
        }
        true
    }

    /// Destroys a lock.
    pub(super) fn destroy_read_write(&mut self, address: u64, object: ObjectId) -> Result<u64, Halt> {
        let (word, _) = self.read_write(address, object)?;
        if let Some(holder) = holders(word).next() {
            let what = format!("is destroyed while {} holds it", self.thread_name(holder));
            return Err(self.misuse_of(NOUN, address, &what));
        }
        self.destroy(address, object)
    }

    /// Prepares a lock.
    pub(crate) fn read_write_init(&mut self, address: u64) -> Result<(), Halt> {
        let object = self.object_at(address);
        self.renew(NOUN, (address, self.read_write_bytes()), object)?;
        self.set_sync_state(object, SyncState::ReadWrite { word: 0 });
        Ok(())
    }
}
