//! Mutexes.
//!
//! Kind and "destroyed" are in the mutex's bytes, where static initialisers put them (at the place and with the numbers
//! of glibc), so that initialising, copying over or freeing one does what it does in a real program. Who holds it is in
//! the machine's table.
use crate::fault::Kind;
use crate::hooks::MutexKind;
use crate::machine::Machine;
use crate::memory::Mode;
use crate::operation::Patience;
use crate::step::Halt;
use crate::sync::SyncState;
use crate::thread::NO_OBJECT;
use por::{ObjectId, ThreadId};

/// Error numbers that operations return, those of Linux.
pub(crate) mod errno {
    pub(crate) const EPERM: u64 = 1;
    pub(crate) const EAGAIN: u64 = 11;
    pub(crate) const EBUSY: u64 = 16;
    pub(crate) const EINVAL: u64 = 22;
    pub(crate) const EDEADLK: u64 = 35;
    pub(crate) const EOVERFLOW: u64 = 75;
    pub(crate) const ETIMEDOUT: u64 = 110;
}

/// The kind of a destroyed mutex.
const DESTROYED: u32 = u32::MAX;

impl Machine {
    /// Bytes of a pthread_mutex_t, and where its kind is.
    fn mutex_layout(&self) -> (u64, u64) {
        if self.pointer_bytes == 8 { (40, 16) } else { (24, 12) }
    }

    /// Kind and holder of a mutex that is being used, with all checks.
    pub(crate) fn mutex(
        &mut self,
        address: u64,
        object: ObjectId,
    ) -> Result<(MutexKind, Option<(ThreadId, u32)>), Halt> {
        let (bytes, kind_at) = self.mutex_layout();
        self.synchronise(address, bytes)?;
        let state = self.sync_state(object);
        if state == SyncState::Unused {
            let origin = self.origin(Mode::Atomic);
            if self.memory.load(&origin, address + kind_at, 4)?.unwritten != 0 {
                return Err(self.mutex_misuse("is used before it is initialised", address));
            }
        }
        let kind = match self.memory.peek(address + kind_at, 4) as u32 {
            0 | 3 => MutexKind::Normal,
            1 => MutexKind::Recursive,
            2 => MutexKind::ErrorCheck,
            DESTROYED => return Err(self.mutex_misuse("is used after it was destroyed", address)),
            _ => return Err(self.mutex_misuse("is no mutex any more: its memory was overwritten", address)),
        };
        match state {
            SyncState::Mutex { held, .. } => Ok((kind, held)),
            _ => Ok((kind, None)),
        }
    }

    fn hold(&mut self, object: ObjectId, kind: MutexKind, held: Option<(ThreadId, u32)>) {
        self.set_sync_state(object, SyncState::Mutex { kind, held });
    }

    /// A violation that concerns a mutex.
    pub(crate) fn mutex_misuse(&self, what: &str, address: u64) -> Halt {
        Halt::fault(Kind::Misuse, format!("mutex {} {what}", self.name_of(address)))
    }

    /// Locks a mutex that is free or our own.
    pub(crate) fn lock(&mut self, address: u64, object: ObjectId) -> Result<u64, Halt> {
        let me = self.current;
        let (kind, held) = self.mutex(address, object)?;
        match held {
            None => {
                self.hold(object, kind, Some((me, 1)));
                self.memory.race.acquire(me, object);
                Ok(0)
            }
            Some((owner, count)) if owner == me => match kind {
                MutexKind::Recursive => {
                    self.hold(object, kind, Some((me, count + 1)));
                    Ok(0)
                }
                MutexKind::ErrorCheck => Ok(errno::EDEADLK),
                MutexKind::Normal => {
                    let name = self.name_of(address);
                    let message =
                        format!("the thread locks mutex {name}, which it holds already, and waits for itself");
                    Err(Halt::fault(Kind::Deadlock, message))
                }
            },
            Some((owner, _)) => unreachable!("a lock held by {owner:?} is not possible"),
        }
    }

    /// Locks a mutex if it can be had; else gives up.
    pub(crate) fn try_lock(&mut self, at: (u64, ObjectId), patience: Patience) -> Result<u64, Halt> {
        let (kind, held) = self.mutex(at.0, at.1)?;
        let Some((owner, _)) = held else { return self.lock(at.0, at.1) };
        match kind {
            MutexKind::Recursive if owner == self.current => return self.lock(at.0, at.1),
            MutexKind::ErrorCheck if owner == self.current && patience == Patience::ForATime => {
                return Ok(errno::EDEADLK);
            }
            _ => {}
        }
        self.note_unordered();
        Ok(if patience == Patience::Never { errno::EBUSY } else { errno::ETIMEDOUT })
    }

    /// Unlocks a mutex.
    pub(crate) fn unlock(&mut self, address: u64, object: ObjectId) -> Result<u64, Halt> {
        let me = self.current;
        let (kind, held) = self.mutex(address, object)?;
        match held {
            Some((owner, count)) if owner == me => {
                let left = (count > 1).then(|| (me, count - 1));
                self.hold(object, kind, left);
                if left.is_none() {
                    self.memory.race.release(me, object);
                }
                Ok(0)
            }
            _ if kind != MutexKind::Normal => {
                self.note_unordered();
                Ok(errno::EPERM)
            }
            None => Err(self.mutex_misuse("is unlocked, but nobody holds it", address)),
            Some((owner, _)) => {
                let what = format!("is unlocked, but {} holds it", self.thread_name(owner));
                Err(self.mutex_misuse(&what, address))
            }
        }
    }

    /// Destroys a mutex.
    pub(crate) fn destroy_mutex(&mut self, address: u64, object: ObjectId) -> Result<u64, Halt> {
        let (_, held) = self.mutex(address, object)?;
        if let Some((owner, _)) = held {
            let what = format!("is destroyed while {} holds it", self.thread_name(owner));
            return Err(self.mutex_misuse(&what, address));
        }
        if !self.memory.race.has_learned(self.current, object) {
            self.note_unordered();
        }
        let (_, kind_at) = self.mutex_layout();
        let origin = self.origin(Mode::Atomic);
        self.memory.store(&origin, address + kind_at, 4, u64::from(DESTROYED))?;
        self.set_sync_state(object, SyncState::Unused);
        Ok(0)
    }

    /// Prepares a mutex.
    pub(crate) fn mutex_init(&mut self, address: u64, kind: MutexKind) -> Result<(), Halt> {
        let object = self.memory.key_at(crate::memory::Role::Mutex, address);
        let object = object.map_or(NO_OBJECT, |key| self.memory.ids.intern(key));
        // First the race detector: uses of it that nothing orders with this are races.
        let (bytes, kind_at) = self.mutex_layout();
        let origin = self.origin(Mode::Plain);
        self.memory.fill(&origin, address, 0, bytes)?;
        if object != NO_OBJECT
            && let SyncState::Mutex { held, .. } = self.sync_state(object)
        {
            let what = match held {
                Some(_) => "is initialised while it is held",
                None => "is initialised although it is in use already",
            };
            return Err(self.mutex_misuse(what, address));
        }
        let number = match kind {
            MutexKind::Normal => 0,
            MutexKind::Recursive => 1,
            MutexKind::ErrorCheck => 2,
        };
        self.memory.store(&origin, address + kind_at, 4, number)?;
        self.hold(object, kind, None);
        Ok(())
    }
}
