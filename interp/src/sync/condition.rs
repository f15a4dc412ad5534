//! Condition variables: waiting is two operations, one that releases the mutex and starts to wait and one that goes on.
use crate::machine::Machine;
use crate::memory::{Mode, Role};
use crate::operation::Wait;
use crate::step::Halt;
use crate::sync::SyncState;
use crate::sync::footprint::lane;
use crate::sync::mutex::errno;
use crate::thread::NO_OBJECT;
use crate::verdict::assumption::Assumption;
use crate::verdict::fault::Kind;
use por::{ObjectId, ThreadId};

/// Bytes of a pthread_cond_t.
const BYTES: u64 = 48;
/// The first bytes of a condition variable that was destroyed.
const DESTROYED: u64 = 0xffff_ffff;

/// The variant of waiting in which nothing but chance wakes the thread. When it does so makes no difference to other
/// threads: until the thread has the mutex again it does nothing. A signal may wake a thread that would wake up anyway;
/// that is as if the signal was lost. So it is as if such a thread had never waited.
pub(crate) const SPURIOUS: u32 = 1;

/// The variant of going on in which the time is over, and the thread is not woken any more. It needs no mutex, so that
/// it may come before a signal of a thread that holds it, which is then lost.
pub(crate) const TIME_OVER: u32 = 1;

impl Machine {
    /// The threads that wait on a condition variable that is being used, and with which mutex; with all checks.
    fn condition(&mut self, address: u64, object: ObjectId) -> Result<(u64, ObjectId), Halt> {
        self.use_bytes("condition variable", (address, BYTES))?;
        let origin = self.origin(Mode::Synchronising);
        let loaded = self.state.memory.load(&origin, address, 4)?;
        if loaded.unwritten != 0 {
            return Err(self.condition_misuse("is used before it is initialised", address));
        }
        if loaded.value == DESTROYED {
            return Err(self.condition_misuse("is used after it was destroyed", address));
        }
        match self.sync_state(object) {
            SyncState::Condition { waiting, mutex } => Ok((waiting, mutex)),
            _ => Ok((0, NO_OBJECT)),
        }
    }

    fn set_waiting(&mut self, object: ObjectId, waiting: u64, mutex: ObjectId) {
        let mutex = if waiting == 0 { NO_OBJECT } else { mutex };
        self.set_sync_state(object, SyncState::Condition { waiting, mutex });
    }

    fn condition_misuse(&self, what: &str, address: u64) -> Halt {
        Halt::fault(Kind::Misuse, format!("condition variable {} {what}", self.name_of(address)))
    }

    /// Releases the mutex and starts to wait.
    pub(crate) fn wait(&mut self, at: (u64, ObjectId), mutex: (u64, ObjectId), label: u32) -> Result<(), Halt> {
        let me = self.segment.current;
        let own = lane(me);
        if own == 0 {
            return Err(Halt::unknown("limit: more than 64 threads in a program that waits on condition variables"));
        }
        let (waiting, used) = self.condition(at.0, at.1)?;
        if label != SPURIOUS {
            self.note_mutex(at.0, mutex.0);
        }
        if waiting != 0 && used != mutex.1 && label != SPURIOUS {
            // The threads that wait already do so independently of this thread.
            let waiters = (0..64).filter(|t| waiting >> t & 1 != 0).map(ThreadId);
            self.segment.involved = waiters.map(|t| (t, self.thread(t).header.events)).collect();
            return Err(self.condition_misuse("is waited for with two different mutexes at once", at.0));
        }
        let held = self.mutex(mutex.0, mutex.1)?.held;
        if held.is_none_or(|(owner, _)| owner != me) {
            let name = self.name_of(at.0);
            let what = format!("is not held by the thread that waits with it on condition variable {name}");
            return Err(self.mutex_misuse(&what, mutex.0));
        }
        if !self.program.options.spurious_wakeups {
            self.lifelong.assumptions.insert(Assumption::NoSpuriousWakeUps);
        }
        self.unlock(mutex.0, mutex.1)?;
        if label != SPURIOUS {
            self.set_waiting(at.1, waiting | own, mutex.1);
        }
        Ok(())
    }

    /// The condition variable is waited for with that mutex, by their addresses. As long as it always is the same one,
    /// no wait depends on another one.
    fn note_mutex(&mut self, condition: u64, mutex: u64) {
        let first = *self.learned.waited_with.entry(condition).or_insert(mutex);
        if first != mutex && !self.learned.mutexes_differ {
            self.learned.mutexes_differ = true;
            self.segment.restart = true;
        }
        if self.learned.mutexes_differ {
            // Waits with different mutexes depend on one another, and nothing orders them.
            self.note_unordered();
        }
    }

    /// Goes on after a wake-up, with the mutex, which is free (or, being recursive, still our own).
    pub(crate) fn reacquire(&mut self, mutex: (u64, ObjectId), wait: Wait) -> Result<u64, Halt> {
        let error = self.lock(mutex.0, mutex.1)?;
        Ok(if error == 0 && wait == Wait::TimedOut { errno::ETIMEDOUT } else { error })
    }

    /// The time is over for which the current thread wanted to wait.
    pub(crate) fn stop_waiting(&mut self, address: u64, object: ObjectId) -> Result<(), Halt> {
        // Whether it is that thread or a signal that comes first, nothing orders the two.
        self.note_unordered();
        let (waiting, mutex) = self.condition(address, object)?;
        self.set_waiting(object, waiting & !lane(self.segment.current), mutex);
        Ok(())
    }

    /// Wakes the thread that the label names: its number + 1, or none.
    pub(crate) fn signal(&mut self, address: u64, object: ObjectId, label: u32) -> Result<(), Halt> {
        let (waiting, mutex) = self.condition(address, object)?;
        if let Some(woken) = label.checked_sub(1) {
            debug_assert!(waiting >> woken & 1 != 0, "only a waiting thread can be woken");
            self.note_waking(mutex);
            self.set_waiting(object, waiting & !(1 << woken), mutex);
        }
        Ok(())
    }

    /// Wakes all waiting threads.
    pub(crate) fn broadcast(&mut self, address: u64, object: ObjectId) -> Result<(), Halt> {
        let (waiting, mutex) = self.condition(address, object)?;
        if waiting != 0 {
            self.note_waking(mutex);
        }
        self.set_waiting(object, 0, NO_OBJECT);
        Ok(())
    }

    /// Waiting threads are woken. The mutex orders that with what they do next if it is held.
    fn note_waking(&mut self, mutex: ObjectId) {
        let me = self.segment.current;
        match self.sync_state(mutex) {
            SyncState::Mutex { held: Some((owner, _)), .. } if owner == me => {}
            _ => self.note_unordered(),
        }
    }

    /// Destroys a condition variable.
    pub(crate) fn destroy_condition(&mut self, address: u64, object: ObjectId) -> Result<(), Halt> {
        let (waiting, _) = self.condition(address, object)?;
        if waiting != 0 {
            return Err(self.condition_misuse("is destroyed while threads wait on it", address));
        }
        if !self.is_alone() {
            self.note_unordered();
        }
        let origin = self.origin(Mode::Synchronising);
        self.state.memory.store(&origin, address, 4, DESTROYED)?;
        self.set_sync_state(object, SyncState::Unused);
        Ok(())
    }

    /// Prepares a condition variable.
    pub(crate) fn cond_init(&mut self, address: u64) -> Result<(), Halt> {
        let object = self.state.memory.key_at(Role::Condition, address);
        let object = object.map_or(NO_OBJECT, |key| self.state.memory.ids.intern(key));
        self.clear_bytes("condition variable", (address, BYTES))?;
        if object != NO_OBJECT
            && let SyncState::Condition { waiting, .. } = self.sync_state(object)
        {
            let what = match waiting {
                0 => "is initialised although it is in use already",
                _ => "is initialised while threads wait on it",
            };
            return Err(self.condition_misuse(what, address));
        }
        self.set_waiting(object, 0, NO_OBJECT);
        Ok(())
    }
}
