//! Synchronisation: the state of mutexes, condition variables and threads, which objects each visible operation
//! touches, in which ways it can happen, and what it does.
//!
//! | operation | objects | possible |
//! | --- | --- | --- |
//! | atomic load | reads the bytes of its granules | always |
//! | atomic store, read-modify-write | writes them | always |
//! | compare-exchange | reads them if they differ from what is expected, else writes them | always |
//! | lock | writes the mutex | if it is free, or one's own (then a count, an error or a fault) |
//! | trylock | writes the mutex; only reads it if another thread holds it | always |
//! | unlock, destroy | writes the mutex | always |
//! | wait | writes the mutex and its own lane of the condition variable | always |
//! | re-acquire | writes the mutex, reads its own lane | if its lane is 0 and the mutex is free |
//! | signal | writes the lane of the thread woken; reads all lanes if none waits | one way per waiting thread, or one |
//! | broadcast | reads all lanes, writes those of the waiting threads | always |
//! | exit of a thread | writes lane 0 of the thread | always |
//! | join | reads lane 0 of the thread, writes lane 1 (whose it is to join) | if lane 0 is 1 |
//! | detach | writes lane 1 | always |
//! | plain load, store of promoted memory | as atomic ones; if its life may end while others access it, they read that | always |
//! | free, end of a variable with promoted bytes | writes its life | always |
//! | use of a synchronisation object in such a variable or block | as above; and reads the life of that | as above |
//! | read lock | reads the lane for writing, writes its own lane | if no other thread holds it for writing |
//! | write lock | reads all lanes, writes its own and the lane for writing | if no thread holds it |
//! | unlock of these | writes what its lock wrote | always |
//! | spin lock, its unlock | as of a mutex | as of a mutex |
//! | post, wait, value of a semaphore | writes it (value: reads) | if it is not 0 (wait) |
//! | arrival at a barrier | writes lanes of its own | always |
//! | departure from it | reads the lanes of all; if its result is looked at, one by one | if all have arrived |
//! | cancel | writes lane 2 of the thread, reads whether it is there to be joined | always |
//! | test for cancellation | reads one's own lane 2; so does waiting at a cancellation point | always |
//! | send, receive | see [`queue`] | if there is room, or a message |
//! | wait on a futex | reads its word; writes its own lane of the futex if that is what is expected | always |
//! | going on from there | reads its own lane | if its lane is 0 |
//! | wake | writes the lanes of the threads woken; reads all lanes if these are all | one way per choice of threads |
//! | requeue | the same, reading all; writes lanes of the other futex | the same |
//! | allocation, free | see [`reuse`] | for an address that was freed: if there is one |
//! | once | writes it; only reads it once it is over | unless another thread runs the routine |
//!
//! A lock or wait that fails after a time, or at once, reads what prevents it. It can fail only if something prevents
//! it: what is free is taken.
//!
//! A misuse is possible as any other operation; when it happens, it is a fault.
mod alone;
mod barrier;
pub(crate) mod block;
pub(crate) mod cancel;
pub(crate) mod condition;
pub(crate) mod ends;
pub(crate) mod footprint;
mod futex;
pub(crate) mod mutex;
pub(crate) mod once;
pub(crate) mod perform;
mod promoted;
pub(crate) mod queue;
pub(crate) mod read_write;
mod reuse;
pub(crate) mod section;
pub(crate) mod semaphore;
pub(crate) mod spinlock;
pub(crate) mod symmetry;
pub(crate) mod threads;
pub(crate) mod variants;

use crate::library::hooks::MutexKind;
use crate::machine::Machine;
use crate::memory::{Mode, ObjectKey, Role};
use crate::step::Halt;
use crate::thread::{NO_OBJECT, Status};
use crate::verdict::fault::Kind;
use mutex::Health;
use once::Once;
use por::{ObjectId, ThreadId};

/// State of a synchronisation object in memory. If an object is not in the table, its bytes say its state.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub(crate) enum SyncState {
    /// Not used yet.
    #[default]
    Unused,
    /// A mutex.
    Mutex {
        /// Its kind.
        kind: MutexKind,
        /// The thread that holds the mutex, and how many times.
        held: Option<(ThreadId, u32)>,
        /// Whether a holder has ended.
        health: Health,
    },
    /// A condition variable.
    Condition {
        /// Bit `t` is set while thread `t` waits to be woken.
        waiting: u64,
        /// The mutex that the waiting threads have released, if any thread waits.
        mutex: ObjectId,
    },
    /// A reader-writer lock, see [`read_write`].
    ReadWrite {
        /// The threads that hold the read-write lock, and whether for writing.
        word: u64,
    },
    /// A spin lock.
    Spin {
        /// The thread that holds the spin lock.
        held: Option<ThreadId>,
    },
    /// A semaphore.
    Semaphore {
        /// Its value.
        value: u32,
    },
    /// One of the words of a barrier, see [`barrier`].
    Barrier {
        /// The word.
        lanes: u64,
        /// In the first word of a barrier: for how many threads the barrier is.
        count: u32,
    },
    /// A once control whose routine has begun.
    Once(Once),
    /// A queue of messages, or one of its rings, see [`queue`].
    Queue {
        /// Its word.
        word: u64,
    },
    /// A message, in a place of a queue.
    Message(queue::Message),
    /// A futex.
    Futex {
        /// Bit `t` is set while thread `t` waits to be woken.
        waiting: u64,
    },
    /// A thread that has waited at a futex, under whose address and its number this stands, waits at another one.
    Requeued {
        /// Where that is.
        address: u64,
    },
    /// A size class of blocks, see [`reuse`].
    Freed {
        /// The threads that have freed some blocks that are not in use.
        lanes: u64,
    },
    /// A freed block in the list of its size class.
    FreedBlock {
        /// Where the block begins.
        block: u64,
    },
}

/// The first four bytes of an object that was destroyed.
const DESTROYED: u64 = 0xffff_ffff;

impl SyncState {
    /// Whether the thread is one of those that hold it, or runs what is to happen once.
    fn is_held_by(self, thread: ThreadId) -> bool {
        match self {
            SyncState::Mutex { held, .. } => held.is_some_and(|(owner, _)| owner == thread),
            SyncState::Spin { held } => held == Some(thread),
            SyncState::ReadWrite { word } => word & footprint::lane(thread) != 0,
            SyncState::Once(Once::Running(runner)) => runner == thread,
            _ => false,
        }
    }

    /// Whether nobody is told by these states of a lock that a thread has ended with it, or they tell the same of that.
    pub(crate) fn is_as_healthy_as(self, other: SyncState) -> bool {
        let health = |state| match state {
            SyncState::Mutex { health, .. } => health,
            _ => Health::Sound,
        };
        health(self) == health(other)
    }

    /// See [`por::System::word`].
    pub(crate) fn word(self) -> u64 {
        match self {
            SyncState::Unused => 0,
            SyncState::Mutex { held: None, health, .. } => health as u64,
            SyncState::Mutex { held, .. } => mutex_word(held),
            SyncState::Condition { waiting, .. } => waiting,
            SyncState::ReadWrite { word } => word,
            SyncState::Spin { held } => mutex_word(held.map(|owner| (owner, 1))),
            SyncState::Semaphore { value } => u64::from(value) + 1,
            SyncState::Barrier { lanes, .. } => lanes,
            SyncState::Once(once) => once::word(once),
            SyncState::Queue { word } => word,
            SyncState::Futex { waiting } => waiting,
            SyncState::Freed { lanes } => lanes,
            SyncState::FreedBlock { block } => block,
            // No action touches it: the lane of the thread says what is known of it.
            SyncState::Requeued { .. } => 0,
            // No action touches a place: a lane of the queue says what is known of it.
            SyncState::Message(_) => 0,
        }
    }
}

impl Machine {
    /// The object of the role [`Role::Other`] at an address; none where nothing is alive.
    fn object_at(&mut self, address: u64) -> ObjectId {
        let key = self.state.memory.key_at(Role::Other, address);
        key.map_or(NO_OBJECT, |key| self.state.memory.ids.intern(key))
    }

    /// The state of an object of that many bytes that is being used, with all checks; `Unused` if its memory was
    /// written but it was never initialised by a call.
    fn in_use(&mut self, noun: &str, (address, bytes): (u64, u64), object: ObjectId) -> Result<SyncState, Halt> {
        self.use_bytes(noun, (address, bytes))?;
        let state = self.sync_state(object);
        if state == SyncState::Unused {
            let origin = self.origin(Mode::Synchronising);
            let loaded = self.state.memory.load(&origin, address, 4)?;
            if loaded.unwritten != 0 {
                return Err(self.misuse_of(noun, address, "is used before it is initialised"));
            }
            if loaded.value == DESTROYED {
                return Err(self.misuse_of(noun, address, "is used after it was destroyed"));
            }
        }
        Ok(state)
    }

    /// Makes the bytes of an object new; the caller says what it is.
    fn renew(&mut self, noun: &str, (address, bytes): (u64, u64), object: ObjectId) -> Result<(), Halt> {
        self.clear_bytes(noun, (address, bytes))?;
        if self.sync_state(object) != SyncState::Unused {
            return Err(self.misuse_of(noun, address, "is initialised although it is in use already"));
        }
        Ok(())
    }

    /// All bytes of an object are used.
    pub(crate) fn use_bytes(&mut self, noun: &str, (address, bytes): (u64, u64)) -> Result<(), Halt> {
        let used = self.synchronise(address, bytes);
        used.map_err(|error| self.declared_smaller(noun, (address, bytes)).unwrap_or(error))
    }

    /// All bytes of an object become 0. First the race detector: uses of it that nothing orders with this are races.
    fn clear_bytes(&mut self, noun: &str, (address, bytes): (u64, u64)) -> Result<(), Halt> {
        let origin = self.origin(Mode::Plain);
        let cleared = self.state.memory.fill(&origin, address, 0, bytes).map_err(Halt::from);
        cleared.map_err(|error| self.declared_smaller(noun, (address, bytes)).unwrap_or(error))
    }

    /// If there is memory for the first bytes of an object only: its type is not that of the target's library.
    fn declared_smaller(&self, noun: &str, (address, bytes): (u64, u64)) -> Option<Halt> {
        let object = self.state.memory.object_at(address).filter(|object| object.live && object.base <= address)?;
        let room = (object.base + object.size).checked_sub(address).filter(|room| (1..bytes).contains(room))?;
        let (name, at) = (self.state.memory.name_of_object(&self.program.module, address), self.at());
        Some(Halt::unknown(format!(
            "a {noun} takes {bytes} bytes on the target, but {name} has room for {room}: the program declares a type of its own, \
             or allocates too little{at}"
        )))
    }

    /// The part that is common to all destructions.
    fn destroy(&mut self, address: u64, object: ObjectId) -> Result<u64, Halt> {
        if !self.state.memory.race.has_learned(self.segment.current, object) {
            self.note_unordered();
        }
        let origin = self.origin(Mode::Synchronising);
        self.state.memory.store(&origin, address, 4, DESTROYED)?;
        self.set_sync_state(object, SyncState::Unused);
        Ok(0)
    }

    /// A violation that concerns an object.
    fn misuse_of(&self, noun: &str, address: u64, what: &str) -> Halt {
        Halt::fault(Kind::Misuse, format!("{noun} {} {what}", self.name_of(address)))
    }

    /// Whether every other thread is over, and its end known to the current one or asked for by nobody. (See [`alone`]
    /// for all that the others did being known, too.)
    fn is_alone(&self) -> bool {
        let others = (0..self.state.process.threads).map(ThreadId).filter(|t| *t != self.segment.current);
        let mut others = others.map(|t| self.thread(t));
        others.all(|t| t.header.status == Status::Absent || t.claim.claimed && t.header.status == Status::Exited)
    }

    /// State of a synchronisation object.
    pub(crate) fn sync_state(&self, object: ObjectId) -> SyncState {
        self.state.sync.get(object.index()).copied().unwrap_or_default()
    }

    /// Changes the state of a synchronisation object.
    pub(crate) fn set_sync_state(&mut self, object: ObjectId, state: SyncState) {
        let old = self.sync_state(object);
        if old == state {
            return;
        }
        // (A futex stays one after the end of its memory: threads may still wait there.)
        if old == SyncState::Unused && !matches!(state, SyncState::Futex { .. } | SyncState::Requeued { .. }) {
            self.note_use(object);
        }
        let me = self.segment.current;
        let held = [old, state].map(|state| u32::from(state.is_held_by(me)));
        if held[0] != held[1] {
            let header = &mut self.thread_mut(me).header;
            header.holds = header.holds + held[1] - held[0];
        }
        self.log.save_sync(object, old);
        if self.state.sync.len() <= object.index() {
            self.state.sync.resize(object.index() + 1, SyncState::Unused);
        }
        self.state.sync[object.index()] = state;
    }

    /// A synchronisation object comes into use.
    fn note_use(&mut self, object: ObjectId) {
        if let ObjectKey::InMemory { base, generation, .. } = self.state.memory.ids.key(object) {
            let known = self.lifelong.sync_in_memory.entry((base, generation)).or_default();
            if !known.contains(&object) {
                known.push(object);
            }
        }
    }
}

/// The word of a mutex.
pub(crate) fn mutex_word(held: Option<(ThreadId, u32)>) -> u64 {
    held.map_or(0, |(owner, count)| u64::from(owner.0 + 1) << 32 | u64::from(count))
}

/// The thread that holds a mutex with this word.
pub(crate) fn mutex_owner(word: u64) -> Option<ThreadId> {
    ((word >> 32) as u32).checked_sub(1).map(ThreadId)
}
