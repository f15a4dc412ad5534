//! Synchronisation: the state of mutexes, condition variables and threads, which objects each visible operation
//! touches, in which ways it can happen, and what it does.
//!
//! | operation | objects | possible |
//! | --- | --- | --- |
//! | atomic load | reads the bytes of its granules | always |
//! | atomic store, read-modify-write | writes them | always |
//! | compare-exchange | reads them if they differ from what is expected, else writes them | always |
//! | lock | writes the mutex | if it is free, or one's own (then a count, an error or a fault) |
//! | trylock | writes the mutex; only reads it if it is somebody else's | always |
//! | unlock, destroy | writes the mutex | always |
//! | wait | writes the mutex and its own lane of the condition variable | always |
//! | re-acquire | writes the mutex, reads its own lane | if its lane is 0 and the mutex is free |
//! | signal | writes the lane of the thread that it wakes; reads all lanes if nobody waits | one way per waiting thread |
//! | broadcast | reads all lanes, writes those of the waiting threads | always |
//! | exit of a thread | writes lane 0 of the thread | always |
//! | join | reads lane 0 of the thread, writes lane 1 (whose it is to join) | if lane 0 is 1 |
//! | detach | writes lane 1 | always |
//! | plain load, store of promoted memory | as atomic ones; if its life may end while others access it, they read that | always |
//! | free, end of a variable with promoted bytes | writes its life | always |
//!
//! Misuse is not a matter of whether an operation is possible: it is, and is a fault when it happens.
pub(crate) mod block;
pub(crate) mod condition;
pub(crate) mod footprint;
pub(crate) mod mutex;
pub(crate) mod perform;
mod plain;
pub(crate) mod threads;
pub(crate) mod variants;

use crate::hooks::MutexKind;
use crate::machine::Machine;
use crate::memory::ObjectKey;
use por::{ObjectId, ThreadId};

/// State of a synchronisation object in memory. What is not in the table is as its bytes say.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub(crate) enum SyncState {
    /// Not used yet.
    #[default]
    Unused,
    /// A mutex.
    Mutex {
        /// Its kind.
        kind: MutexKind,
        /// Who holds it, and how many times.
        held: Option<(ThreadId, u32)>,
    },
    /// A condition variable.
    Condition {
        /// Bit `t` is set while thread `t` waits to be woken.
        waiting: u64,
        /// The mutex with which they wait, if any does.
        mutex: ObjectId,
    },
}

impl Machine {
    /// State of a synchronisation object.
    pub(crate) fn sync_state(&self, object: ObjectId) -> SyncState {
        self.sync.get(object.index()).copied().unwrap_or_default()
    }

    /// Changes the state of a synchronisation object.
    pub(crate) fn set_sync_state(&mut self, object: ObjectId, state: SyncState) {
        let old = self.sync_state(object);
        if old == state {
            return;
        }
        if old == SyncState::Unused {
            self.note_use(object);
        }
        self.log.save_sync(object, old);
        if self.sync.len() <= object.index() {
            self.sync.resize(object.index() + 1, SyncState::Unused);
        }
        self.sync[object.index()] = state;
    }

    /// A synchronisation object comes into use.
    fn note_use(&mut self, object: ObjectId) {
        if let ObjectKey::InMemory { base, generation, .. } = self.memory.ids.key(object) {
            let known = self.sync_in_memory.entry((base, generation)).or_default();
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

/// Who holds a mutex with this word.
pub(crate) fn mutex_owner(word: u64) -> Option<ThreadId> {
    ((word >> 32) as u32).checked_sub(1).map(ThreadId)
}
