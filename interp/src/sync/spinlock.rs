//! Spin locks: mutexes of one kind, for which a thread waits without sleeping. That makes no difference to what can
//! happen.
use super::SyncState;
use super::mutex::errno;
use crate::machine::Machine;
use crate::operation::Patience;
use crate::step::Halt;
use crate::verdict::fault::Kind;
use por::{ObjectId, ThreadId};

/// What a misused one is called.
pub(crate) const NOUN: &str = "spin lock";
/// Bytes of a pthread_spinlock_t.
pub(crate) const BYTES: u64 = 4;

impl Machine {
    /// The thread that holds a spin lock that is being used; with all checks.
    fn spin_lock_holder(&mut self, address: u64, object: ObjectId) -> Result<Option<ThreadId>, Halt> {
        match self.in_use(NOUN, (address, BYTES), object)? {
            SyncState::Spin { held } => Ok(held),
            _ => Err(self.misuse_of(NOUN, address, "is used before it is initialised")),
        }
    }

    /// Locks a spin lock.
    pub(super) fn spin_lock(&mut self, at: (u64, ObjectId), patience: Patience) -> Result<u64, Halt> {
        let me = self.segment.current;
        match self.spin_lock_holder(at.0, at.1)? {
            None => {
                self.set_sync_state(at.1, SyncState::Spin { held: Some(me) });
                self.state.memory.race.acquire(me, at.1);
                Ok(0)
            }
            Some(owner) if patience == Patience::Forever => {
                assert!(owner == me, "a spin lock held by {owner:?} cannot be had");
                let name = self.name_of(at.0);
                let message = format!("the thread locks {NOUN} {name}, which it holds already, and waits for itself");
                Err(Halt::fault(Kind::Deadlock, message))
            }
            Some(_) => {
                self.note_unordered();
                Ok(errno::EBUSY)
            }
        }
    }

    /// Unlocks a spin lock.
    pub(super) fn spin_unlock(&mut self, address: u64, object: ObjectId) -> Result<u64, Halt> {
        let me = self.segment.current;
        match self.spin_lock_holder(address, object)? {
            Some(owner) if owner == me => {
                self.release_spin_lock(object);
                Ok(0)
            }
            None => Err(self.misuse_of(NOUN, address, "is unlocked, but nobody holds it")),
            Some(owner) => {
                let what = format!("is unlocked, but {} holds it", self.thread_name(owner));
                Err(self.misuse_of(NOUN, address, &what))
            }
        }
    }

    /// The current thread, which holds the lock, does so no longer.
    pub(crate) fn release_spin_lock(&mut self, object: ObjectId) {
        self.set_sync_state(object, SyncState::Spin { held: None });
        self.state.memory.race.release(self.segment.current, object);
    }

    /// Destroys a spin lock.
    pub(super) fn destroy_spin_lock(&mut self, address: u64, object: ObjectId) -> Result<u64, Halt> {
        if let Some(owner) = self.spin_lock_holder(address, object)? {
            let what = format!("is destroyed while {} holds it", self.thread_name(owner));
            return Err(self.misuse_of(NOUN, address, &what));
        }
        self.destroy(address, object)
    }

    /// Prepares a spin lock.
    pub(crate) fn spin_init(&mut self, address: u64) -> Result<(), Halt> {
        let object = self.object_at(address);
        self.renew(NOUN, (address, BYTES), object)?;
        self.set_sync_state(object, SyncState::Spin { held: None });
        Ok(())
    }
}
