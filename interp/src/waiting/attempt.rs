//! Attempts to take what others may have: `pthread_mutex_trylock`, `pthread_rwlock_tryrdlock`, `sem_trywait`.
//!
//! An attempt that fails because others have what it is for reads that, and changes nothing. So a thread that tries
//! until it succeeds waits for that as one does that asks for it without `try`: what it can be had by, and what an
//! attempt depends on, is the same for both. A thread that fails because of what it holds itself is not taken to wait,
//! for it is the only one that could change that.
//!
//! **`errno`.** `sem_trywait` sets it when it fails, so that a thread that has gone round has another one than a thread
//! that was successful at once. Nobody but the thread itself can read it, unless its address is asked for. So where
//! all turns are left out, all is as it was as long as no execution asks for that address, or has a library function
//! read it. If one does, it does so with these turns left out as well, for nothing before that depends on `errno`. That
//! is seen, no loop waits any more that has such a call in it, and the exploration starts again. (That a call sets it
//! tells nobody anything.)
use crate::library::hooks::{Failure, Passing};
use crate::machine::Machine;
use crate::operation::{Operation, Patience};
use crate::options::Awaits;
use crate::step::Halt;
use crate::sync::mutex_owner;
use crate::sync::read_write::{self, can_read, can_write};
use crate::sync::semaphore::{self, can_take};
use crate::sync::spinlock;
use crate::thread::{NO_OBJECT, Pending};
use crate::waiting::code::Through;
use crate::waiting::turn::{Turn, TurnId};
use por::ThreadId;

/// Where the lock or semaphore lies that the operation takes if that can be had, and fails otherwise.
pub(super) fn attempted(operation: &Operation) -> Option<u64> {
    match *operation {
        Operation::MutexLock { mutex: address, patience: Patience::Never }
        | Operation::SpinLock { lock: address, patience: Patience::Never }
        | Operation::ReadLock { lock: address, patience: Patience::Never }
        | Operation::WriteLock { lock: address, patience: Patience::Never }
        | Operation::SemaphoreWait { semaphore: address, patience: Patience::Never } => Some(address),
        _ => None,
    }
}

/// Whether the attempt fails, where these words are, because of what other threads have or have not done.
pub(super) fn fails(thread: ThreadId, pending: &Pending, words: &[u64]) -> bool {
    pending.objects[0] != NO_OBJECT
        && match pending.operation {
            Operation::ReadLock { .. } => !can_read(words[0], thread),
            Operation::WriteLock { .. } => !can_write(words[0], thread),
            Operation::SemaphoreWait { .. } => !can_take(words[0]),
            _ => mutex_owner(words[0]).is_some_and(|owner| owner != thread),
        }
}

impl Machine {
    /// The turn that begins with an attempt to take what lies there. It reads nothing but whether that can be had.
    pub(super) fn turn_of_attempt(&mut self, pending: &Pending, address: u64) -> Result<TurnId, Halt> {
        let object = self.state.memory.object_at(address).filter(|object| object.live);
        let Some(object) = object.filter(|object| self.may_await(object, pending)) else { return Ok(TurnId::NONE) };
        let awaited = (object.kind, object.allocated.stack);
        // (One that is cancelled there goes on, whether or not there is something to be had.)
        let may_end = pending.objects[1] != NO_OBJECT;
        if self.learned.racing.contains(&awaited) || may_end || !self.stands_before_attempt() {
            return Ok(TurnId::NONE);
        }
        let frames = self.places_of_turn(Through::Reads);
        let Some(frames) = frames else { return Ok(TurnId::NONE) };
        if self.learned.awaited.insert(awaited) {
            self.segment.restart |= self.exploration.effects;
        }
        let (noun, bytes) = match pending.operation {
            Operation::SpinLock { .. } => (spinlock::NOUN, spinlock::BYTES),
            Operation::ReadLock { .. } | Operation::WriteLock { .. } => (read_write::NOUN, self.read_write_bytes()),
            Operation::SemaphoreWait { .. } => (semaphore::NOUN, self.semaphore_bytes()),
            _ => ("mutex", self.mutex_layout().0),
        };
        self.use_bytes(noun, (address, bytes))?;
        let mut turn = Turn::new(frames);
        self.read_on_the_way(&mut turn)?;
        Ok(self.number_of_turn(turn))
    }

    /// Whether the instruction at which the current thread stands is a call that fails in a way that is known.
    fn stands_before_attempt(&self) -> bool {
        let top = self.thread(self.segment.current).top();
        let code = &self.program.module.functions[top.function.index()].code;
        code.get(top.pc as usize).is_some_and(|&inst| self.tries(inst))
    }

    /// What the attempt with which the turn begins returns if it fails.
    pub(super) fn result_of_failure(&self, turn: &Turn) -> Option<u64> {
        let place = turn.frames.last()?;
        let inst = self.program.module.functions[place.function.index()].code[place.pc as usize];
        self.failure(inst).map(Failure::result)
    }

    /// The current thread may look at its `errno` from now on.
    pub(crate) fn note_look_at_errno(&mut self) {
        let sets = |passing: &Option<Passing>| *passing == Some(Passing::Tries(Failure::SetsErrno));
        if self.exploration.awaits == Awaits::Run || self.exploration.errno_matters {
            return;
        }
        if !self.learned.looks_at_errno && self.program.passing.iter().any(sets) {
            self.learned.looks_at_errno = true;
            self.segment.restart = true;
        }
    }
}
