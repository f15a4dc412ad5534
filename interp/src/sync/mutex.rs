//! Mutexes.
//!
//! Kind and "destroyed" are in the mutex's bytes, where static initialisers put them (at the place and with the numbers
//! of glibc), so that initialising, copying over or freeing one does what it does in a real program. Its holder is in
//! the machine's table.
use crate::library::hooks::{MutexKind, Robustness};
use crate::machine::Machine;
use crate::memory::Mode;
use crate::operation::Patience;
use crate::step::Halt;
use crate::sync::SyncState;
use crate::thread::NO_OBJECT;
use crate::verdict::fault::Kind;
use por::{ObjectId, ThreadId};

/// Error numbers that operations return, those of Linux.
pub(crate) mod errno {
    pub(crate) const EPERM: u64 = 1;
    pub(crate) const E2BIG: u64 = 7;
    pub(crate) const EAGAIN: u64 = 11;
    pub(crate) const EBUSY: u64 = 16;
    pub(crate) const EINVAL: u64 = 22;
    pub(crate) const EPIPE: u64 = 32;
    pub(crate) const EDEADLK: u64 = 35;
    pub(crate) const ENOMSG: u64 = 42;
    pub(crate) const EIDRM: u64 = 43;
    pub(crate) const EOVERFLOW: u64 = 75;
    pub(crate) const ETIMEDOUT: u64 = 110;
    pub(crate) const EOWNERDEAD: u64 = 130;
    pub(crate) const ENOTRECOVERABLE: u64 = 131;
}

/// What the end of a holder has done to a mutex. As a number it is the word of a mutex that is not held.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Health {
    /// Nothing.
    Sound = 0,
    /// Its holder has ended, and no thread has made things consistent since.
    Orphaned = 1,
    /// It was unlocked again before a thread made things consistent: it can no longer be used.
    Lost = 2,
}

/// A mutex that is being used.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MutexState {
    pub(crate) kind: MutexKind,
    /// The thread that holds it, and how many times.
    pub(crate) held: Option<(ThreadId, u32)>,
    health: Health,
    robustness: Robustness,
}

/// So many robust mutexes the end of a thread can leave to others: it touches them.
pub(super) const ROBUST_AT_END: usize = 2;

/// The bit of the kind that says that a mutex is robust.
const ROBUST: u32 = 16;

/// The kind of a destroyed mutex.
const DESTROYED: u32 = u32::MAX;

impl MutexState {
    /// Whether the end of its holder is told to the next one.
    pub(crate) fn is_robust(&self) -> bool {
        self.robustness == Robustness::Robust
    }
}

impl Machine {
    /// Bytes of a pthread_mutex_t, and where its kind is.
    pub(crate) fn mutex_layout(&self) -> (u64, u64) {
        if self.program.pointer_bytes == 8 { (40, 16) } else { (24, 12) }
    }

    /// A mutex that is being used, with all checks.
    pub(crate) fn mutex(&mut self, address: u64, object: ObjectId) -> Result<MutexState, Halt> {
        let (bytes, kind_at) = self.mutex_layout();
        self.use_bytes("mutex", (address, bytes))?;
        let state = self.sync_state(object);
        if state == SyncState::Unused {
            let origin = self.origin(Mode::Synchronising);
            if self.state.memory.load(&origin, address + kind_at, 4)?.unwritten != 0 {
                return Err(self.mutex_misuse("is used before it is initialised", address));
            }
        }
        let number = self.state.memory.peek(address + kind_at, 4) as u32;
        let robustness = match number {
            DESTROYED => return Err(self.mutex_misuse("is used after it was destroyed", address)),
            _ if number & ROBUST != 0 => Robustness::Robust,
            _ => Robustness::Stalled,
        };
        let kind = match number & !ROBUST {
            0 | 3 => MutexKind::Normal,
            1 => MutexKind::Recursive,
            2 => MutexKind::ErrorCheck,
            _ => return Err(self.mutex_misuse("is no mutex any more: its memory was overwritten", address)),
        };
        let (held, health) = match state {
            SyncState::Mutex { held, health, .. } => (held, health),
            _ => (None, Health::Sound),
        };
        Ok(MutexState { kind, held, health, robustness })
    }

    fn hold(&mut self, object: ObjectId, mutex: MutexState, held: Option<(ThreadId, u32)>) {
        let MutexState { kind, health, .. } = mutex;
        self.set_sync_state(object, SyncState::Mutex { kind, held, health });
    }

    /// A violation that concerns a mutex.
    pub(crate) fn mutex_misuse(&self, what: &str, address: u64) -> Halt {
        Halt::fault(Kind::Misuse, format!("mutex {} {what}", self.name_of(address)))
    }

    /// Locks a mutex that is free or our own.
    pub(crate) fn lock(&mut self, address: u64, object: ObjectId) -> Result<u64, Halt> {
        let me = self.segment.current;
        let mutex = self.mutex(address, object)?;
        match mutex.held {
            None if mutex.health == Health::Lost => {
                self.note_unordered();
                Ok(errno::ENOTRECOVERABLE)
            }
            None => {
                self.hold(object, mutex, Some((me, 1)));
                self.state.memory.race.acquire(me, object);
                self.acquire_sections(object);
                if mutex.robustness == Robustness::Robust {
                    self.rare_mut(me).robust.push(object);
                }
                Ok(if mutex.health == Health::Orphaned { errno::EOWNERDEAD } else { 0 })
            }
            Some((owner, count)) if owner == me => match mutex.kind {
                MutexKind::Recursive => {
                    self.hold(object, mutex, Some((me, count + 1)));
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
        let MutexState { kind, held, .. } = self.mutex(at.0, at.1)?;
        self.observe_mutex(at.0);
        let Some((owner, _)) = held else { return self.lock(at.0, at.1) };
        match kind {
            MutexKind::Recursive if owner == self.segment.current => return self.lock(at.0, at.1),
            MutexKind::ErrorCheck if owner == self.segment.current && patience == Patience::ForATime => {
                return Ok(errno::EDEADLK);
            }
            _ => {}
        }
        self.note_unordered();
        Ok(if patience == Patience::Never { errno::EBUSY } else { errno::ETIMEDOUT })
    }

    /// Unlocks a mutex.
    pub(crate) fn unlock(&mut self, address: u64, object: ObjectId) -> Result<u64, Halt> {
        let me = self.segment.current;
        let mut mutex = self.mutex(address, object)?;
        match mutex.held {
            Some((owner, count)) if owner == me => {
                let left = (count > 1).then(|| (me, count - 1));
                if left.is_none() && mutex.health == Health::Orphaned {
                    mutex.health = Health::Lost;
                }
                self.hold(object, mutex, left);
                if left.is_none() {
                    self.release_section(object);
                    if mutex.robustness == Robustness::Robust {
                        self.rare_mut(me).robust.retain(|held| *held != object);
                    }
                }
                Ok(0)
            }
            _ if mutex.kind != MutexKind::Normal || mutex.robustness == Robustness::Robust => {
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
        if let Some((owner, _)) = self.mutex(address, object)?.held {
            let what = format!("is destroyed while {} holds it", self.thread_name(owner));
            return Err(self.mutex_misuse(&what, address));
        }
        if !self.state.memory.race.has_learned(self.segment.current, object) {
            self.note_unordered();
        }
        self.observe_unordered(address, object, false);
        let (_, kind_at) = self.mutex_layout();
        let origin = self.origin(Mode::Synchronising);
        self.state.memory.store(&origin, address + kind_at, 4, u64::from(DESTROYED))?;
        self.set_sync_state(object, SyncState::Unused);
        Ok(0)
    }

    /// Prepares a mutex.
    pub(crate) fn mutex_init(&mut self, address: u64, kind: MutexKind, robustness: Robustness) -> Result<(), Halt> {
        let object = self.state.memory.key_at(crate::memory::Role::Mutex, address);
        let object = object.map_or(NO_OBJECT, |key| self.state.memory.ids.intern(key));
        let (bytes, kind_at) = self.mutex_layout();
        self.clear_bytes("mutex", (address, bytes))?;
        if object != NO_OBJECT {
            self.observe_unordered(address, object, true);
        }
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
        let number = if robustness == Robustness::Robust { number | u64::from(ROBUST) } else { number };
        let origin = self.origin(Mode::Plain);
        self.state.memory.store(&origin, address + kind_at, 4, number)?;
        self.hold(object, MutexState { kind, held: None, health: Health::Sound, robustness }, None);
        Ok(())
    }

    /// The current thread holds a mutex whose last holder ended while it held it, and has now made things consistent.
    pub(crate) fn make_consistent(&mut self, address: u64) -> Result<u64, Halt> {
        let object = self.state.memory.key_at(crate::memory::Role::Mutex, address);
        let object = object.map_or(NO_OBJECT, |key| self.state.memory.ids.intern(key));
        let mutex = self.mutex(address, object)?;
        if mutex.health != Health::Orphaned || mutex.held.is_none_or(|(owner, _)| owner != self.segment.current) {
            return Ok(errno::EINVAL);
        }
        self.hold(object, MutexState { health: Health::Sound, ..mutex }, mutex.held);
        Ok(0)
    }

    /// The current thread ends: the robust mutexes that it holds are left to others.
    pub(super) fn leave_robust(&mut self) -> Result<(), Halt> {
        let me = self.segment.current;
        if self.thread(me).rare.robust.is_empty() {
            return Ok(());
        }
        let held = self.thread(me).rare.robust.clone();
        if held.len() > ROBUST_AT_END {
            let reason = format!("limit: a thread ends that holds more than {ROBUST_AT_END} robust mutexes");
            return Err(Halt::unknown(reason));
        }
        for object in held {
            if let SyncState::Mutex { kind, .. } = self.sync_state(object) {
                let state = SyncState::Mutex { kind, held: None, health: Health::Orphaned };
                self.set_sync_state(object, state);
                self.state.memory.race.release(me, object);
            }
        }
        Ok(())
    }
}
