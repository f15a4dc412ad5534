//! Visible operations: what a thread stands before when it waits to be scheduled.
//!
//! Library models decode their arguments into one of these; the machine says what each touches, when it may happen and
//! what it does. Addresses are those of the program under test.
//!
//! One file: the operations are one enumeration, with what each needs.
pub(crate) mod atomic;
pub(crate) mod effect;
mod source;

use crate::memory::SizeClass;
use crate::term::Term;
use crate::undefined::SYMBOLIC;
pub use frontend::ir::{Ordering, RmwOp};
use serde::{Deserialize, Serialize};
pub use source::Source;

/// How long an operation waits for what it cannot have yet.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Patience {
    /// Until it comes.
    Forever,
    /// For a time, which may be over at any moment: then it fails with ETIMEDOUT. But what can be had at once is had.
    ForATime,
    /// Not at all.
    Never,
}

/// Where a thread stands that waits on a condition variable.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Wait {
    /// It waits for a signal.
    ForSignal,
    /// It waits for a signal or for a time to be over.
    ForATime,
    /// The time is over: it only waits for the mutex, and its result is ETIMEDOUT.
    TimedOut,
    /// It was asked to end: it only waits for the mutex.
    Cancelled,
}

/// The rules of a queue of messages.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum QueueKind {
    /// System V: messages have types, of which receives choose.
    SystemV,
    /// POSIX: messages have priorities.
    Priority,
    /// Bytes.
    Stream,
}

/// What is closed of a queue.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum End {
    /// The reading end of the stream is closed.
    Reading,
    /// The writing end of the stream is closed.
    Writing,
    /// The queue is gone.
    Both,
}

/// The part of an arrival at a barrier that the thread's own past decides.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
pub struct Arrival {
    /// The number of the round, modulo 4.
    pub turn: u8,
    /// It is the thread's first.
    pub first: bool,
    /// The thread was told by its last round but one that it is the one of that round.
    pub told: bool,
}

/// A pending visible operation. Its result goes where the instruction or call that raised it wants it.
#[derive(Clone, Copy, PartialEq, Hash, Debug, Serialize, Deserialize)]
#[allow(missing_docs, reason = "fields are described in the comment of each variant")]
pub enum Operation {
    /// Atomic accesses; `size` 1…16, values in two words, low first. `undefined`: the bits of the value that have none,
    /// which are 0 in it.
    AtomicLoad {
        address: u64,
        size: u8,
        ordering: Ordering,
    },
    AtomicStore {
        address: u64,
        size: u8,
        ordering: Ordering,
        value: [u64; 2],
        undefined: [u64; 2],
    },
    AtomicRmw {
        op: RmwOp,
        address: u64,
        size: u8,
        ordering: Ordering,
        unused: bool,
        value: [u64; 2],
        undefined: [u64; 2],
    },
    /// A failed exchange is a read, a successful one a read and write. Result: old value, success bit. `undefined`: as
    /// above, of the expected value and of the new one.
    CompareExchange {
        address: u64,
        size: u8,
        success: Ordering,
        failure: Ordering,
        expected: [u64; 2],
        new: [u64; 2],
        undefined: [[u64; 2]; 2],
    },

    /// Plain accesses of promoted memory, `size` 1…16: atomic and sequentially consistent. `undefined`: the bits
    /// without a value.
    Load {
        address: u64,
        size: u8,
    },
    Store {
        address: u64,
        size: u8,
        value: [u64; 2],
        undefined: [u64; 2],
    },
    /// The next piece of a copy of `len` bytes is read, or written: `size` 1…8 bytes.
    CopyRead {
        to: u64,
        from: u64,
        len: u64,
        size: u8,
    },
    CopyWrite {
        to: u64,
        from: u64,
        len: u64,
        size: u8,
        value: u64,
        undefined: u64,
    },
    /// The next `size` of `len` bytes are filled, with a byte of which these bits have no value.
    Fill {
        to: u64,
        len: u64,
        size: u8,
        value: u8,
        undefined: u8,
    },
    /// `free` of a block with promoted bytes, or whose address may be given out again.
    Free {
        address: u64,
    },
    /// The address of a new block is chosen: a fresh one, or that of a block that was freed.
    Allocate {
        class: SizeClass,
    },
    /// The life, or a scope, of a variable with promoted bytes ends.
    EndVariable {
        address: u64,
    },
    /// The same at the end of its thread, which comes next.
    EndThreadVariable {
        address: u64,
        value: u64,
    },
    /// A scope of a variable with promoted bytes begins.
    BeginVariable {
        address: u64,
    },

    /// Creates a thread that runs `routine(argument)`, before whose first step its handle is stored in so many bytes at
    /// `handle` (unless 0); result 0. `c11`: the routine returns int. The argument may be a term, as `mark` says.
    Create {
        handle: u64,
        handle_bytes: u8,
        routine: u64,
        argument: u64,
        mark: u64,
        detached: bool,
        c11: bool,
    },
    /// The calling thread ends with `value`. Raised by pthread_exit, thrd_exit and by the return of a thread's
    /// function.
    ThreadExit {
        value: u64,
    },
    /// Waits for the end of a thread; stores its value (pointer-sized, or int for C11) at `result` unless 0. Joining an
    /// unknown, detached or already joined thread is misuse; oneself is a deadlock (result EDEADLK is not used).
    Join {
        handle: u64,
        result: u64,
        c11: bool,
    },
    /// Detaches a thread.
    Detach {
        handle: u64,
    },

    /// Asks a thread to end.
    Cancel {
        handle: u64,
    },
    /// A call that is a cancellation point, or (not `always`) may be one.
    TestCancel {
        always: bool,
    },

    /// Mutexes. Kinds are in the mutex (set by its initialisation). Results are POSIX error numbers.
    MutexLock {
        mutex: u64,
        patience: Patience,
    },
    MutexUnlock {
        mutex: u64,
    },
    MutexDestroy {
        mutex: u64,
    },

    /// `w1` of SBRLW20, §3.1: releases the mutex and starts to wait. The thread then stands before CondReacquire.
    CondWait {
        condition: u64,
        mutex: u64,
        patience: Patience,
    },
    /// `w2`: possible once woken and when the mutex is free. Before that, a thread that waits for a time may give up,
    /// which is an action of its own: it then stands before the same without being woken any more. Only the machine
    /// raises it.
    CondReacquire {
        condition: u64,
        mutex: u64,
        wait: Wait,
    },
    /// Wakes one of the waiting threads (a choice), or is lost.
    CondSignal {
        condition: u64,
    },
    /// Wakes all waiting threads.
    CondBroadcast {
        condition: u64,
    },
    CondDestroy {
        condition: u64,
    },

    /// Starts to wait at a futex, if the word there is what is expected; the thread then stands before FutexAwait. Else
    /// the result is EAGAIN, negated, as of all operations on futexes that fail.
    FutexWait {
        address: u64,
        expected: u32,
        patience: Patience,
    },
    /// Possible once woken; or the time is over. Only the machine raises it.
    FutexAwait {
        address: u64,
        patience: Patience,
    },
    /// Wakes up to `count` of the threads that wait there (a choice). Result: how many.
    FutexWake {
        address: u64,
        count: u32,
    },
    /// The same; up to `moved` others wait at `to` from then on. Only if the word is what is expected. Result: how many
    /// threads were woken or moved.
    FutexRequeue {
        address: u64,
        to: u64,
        count: u32,
        moved: u32,
        expected: Option<u32>,
    },

    /// Reader-writer locks. Results are POSIX error numbers.
    ReadLock {
        lock: u64,
        patience: Patience,
    },
    WriteLock {
        lock: u64,
        patience: Patience,
    },
    ReadWriteUnlock {
        lock: u64,
    },
    ReadWriteDestroy {
        lock: u64,
    },

    /// Spin locks.
    SpinLock {
        lock: u64,
        patience: Patience,
    },
    SpinUnlock {
        lock: u64,
    },
    SpinDestroy {
        lock: u64,
    },

    /// Semaphores.
    SemaphoreInit {
        semaphore: u64,
        value: u32,
    },
    /// Takes one away, or fails with EAGAIN or ETIMEDOUT.
    SemaphoreWait {
        semaphore: u64,
        patience: Patience,
    },
    /// Adds one. Result EOVERFLOW if that cannot be.
    SemaphorePost {
        semaphore: u64,
    },
    /// Result: the value.
    SemaphoreValue {
        semaphore: u64,
    },
    SemaphoreDestroy {
        semaphore: u64,
    },

    /// Barriers.
    BarrierInit {
        barrier: u64,
        count: u32,
    },
    /// Arrives at a barrier. The thread then stands before BarrierLeave. `used`: the program looks at the result, which
    /// is -1 for one thread of each round, else 0. `arrival` is filled in by the machine.
    BarrierArrive {
        barrier: u64,
        used: bool,
        arrival: Arrival,
    },
    /// Possible once all have arrived. `turn`: the number of the round, modulo 4. Only the machine raises it.
    BarrierLeave {
        barrier: u64,
        count: u32,
        turn: u8,
        used: bool,
    },
    BarrierDestroy {
        barrier: u64,
    },

    /// Puts a message of that size into a queue, or bytes into a stream. `room`: how many messages a POSIX queue takes.
    /// Result: 0, an error number, or, of a stream, all ones: it holds a copy of the bytes.
    QueuePut {
        queue: u64,
        kind: QueueKind,
        message: u64,
        tag: u64,
        size: u64,
        room: u32,
        patience: Patience,
    },
    /// Takes a message; `choice` is that of `msgrcv`. Result: its address, 0 at the end of a stream, an error number
    /// (less than 4096), or how many bytes were put into the `buffer`, negated.
    QueueTake {
        queue: u64,
        kind: QueueKind,
        choice: i64,
        except: bool,
        truncate: bool,
        size: u64,
        buffer: u64,
        room: u32,
        patience: Patience,
    },
    /// Results: the number of messages in a queue, and of their bytes.
    QueueLook {
        queue: u64,
        kind: QueueKind,
    },
    /// Removes a queue, or closes an end of a stream.
    QueueClose {
        queue: u64,
        kind: QueueKind,
        end: End,
    },

    /// `pthread_once`: the first thread calls the routine, the others wait until it has returned.
    OnceBegin {
        control: u64,
        routine: u64,
    },
    /// The routine has returned. Only the machine raises it.
    OnceEnd {
        control: u64,
    },

    /// A data choice: result is `base + label`, label in `0..count`, truncated to `bits`.
    Choose {
        base: i64,
        count: u32,
        bits: u8,
        source: Source,
    },
    /// Reads an input whose value is given.
    Given {
        value: u64,
        /// The bits after the first 64.
        high: u64,
        bits: u8,
        /// The program takes it for a signed number.
        signed: bool,
        /// Not every value would do as well, as far as is known.
        matters: bool,
        source: Source,
    },
    /// Reads an input of so many bits: the result may be anything, see [`crate::symbolic`].
    Input {
        bits: u8,
        source: Source,
    },
    /// A decision: which of these values, a list of the machine's of that length, the term has. Only the machine raises
    /// it.
    Decide {
        term: Term,
        list: u32,
        count: u32,
    },
    /// The beginning of an atomic block (`__VERIFIER_atomic_begin`, or entry of a function `__VERIFIER_atomic_*`). The
    /// whole block is executed as one action.
    AtomicBegin,
    /// The process ends with this status: exit, _Exit, return from main.
    ProcessExit {
        status: u64,
    },
    /// A failed assume: the execution is not one of the program's.
    AssumeFailed,
    /// The thread has polled in vain under this mutex and goes no further in this execution: see [`crate::waiting`]. It
    /// never happens.
    InVain {
        mutex: u64,
    },
}

/// What an operation does to a lock, if it is to do nothing else.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OnLock {
    /// It waits until it gets the lock.
    Takes,
    /// It gives the lock back.
    GivesBack,
}

impl Operation {
    /// Whether the operation waits for a lock until it gets it, or gives one back.
    pub fn lock(&self) -> Option<OnLock> {
        match self {
            Operation::MutexLock { patience: Patience::Forever, .. }
            | Operation::SpinLock { patience: Patience::Forever, .. }
            | Operation::ReadLock { patience: Patience::Forever, .. }
            | Operation::WriteLock { patience: Patience::Forever, .. } => Some(OnLock::Takes),
            Operation::MutexUnlock { .. } | Operation::SpinUnlock { .. } | Operation::ReadWriteUnlock { .. } => {
                Some(OnLock::GivesBack)
            }
            _ => None,
        }
    }

    /// What the program is given by a choice of that label, or as an input.
    pub fn chosen(&self, label: u32) -> Option<i128> {
        match *self {
            Operation::Choose { base, .. } => Some(i128::from(base) + i128::from(label)),
            Operation::Given { value, high, bits, signed, .. } => {
                let value = u128::from(high) << 64 | u128::from(value);
                // (An unsigned number of 128 bits that is too large for it is shown as a negative one.)
                Some(if signed { crate::value::sign_extend_wide(bits, value) } else { value as i128 })
            }
            _ => None,
        }
    }

    /// Where the value comes from that the program is given by a choice or as an input.
    pub fn source(&self) -> Option<Source> {
        match *self {
            Operation::Choose { source, .. } | Operation::Given { source, .. } | Operation::Input { source, .. } => {
                Some(source)
            }
            _ => None,
        }
    }

    /// Whether the operation gets a lock or a semaphore only if it is free now, or in time. If it is not, the result is
    /// an error number.
    pub fn may_give_up(&self) -> bool {
        match self {
            Operation::MutexLock { patience, .. }
            | Operation::SpinLock { patience, .. }
            | Operation::ReadLock { patience, .. }
            | Operation::WriteLock { patience, .. }
            | Operation::SemaphoreWait { patience, .. } => *patience != Patience::Forever,
            _ => false,
        }
    }
    /// Calls this with each term among the values that it is given, and with the word that holds it.
    fn visit_terms(&mut self, mut visit: impl FnMut(Term, &mut u64)) {
        let mut visit_all = |values: &mut [u64], undefined: &[u64]| {
            for (value, _) in values.iter_mut().zip(undefined).filter(|(_, mark)| **mark == SYMBOLIC) {
                visit(Term(*value as u32), value);
            }
        };
        match self {
            Operation::AtomicStore { value, undefined, .. }
            | Operation::AtomicRmw { value, undefined, .. }
            | Operation::Store { value, undefined, .. } => visit_all(value, undefined),
            Operation::CompareExchange { expected, new, undefined, .. } => {
                visit_all(expected, &undefined[0]);
                visit_all(new, &undefined[1]);
            }
            Operation::CopyWrite { value, undefined, .. } => {
                visit_all(std::slice::from_mut(value), std::slice::from_ref(undefined));
            }
            Operation::Create { argument, mark, .. } => {
                visit_all(std::slice::from_mut(argument), std::slice::from_ref(mark));
            }
            Operation::Decide { term, .. } => visit(*term, &mut 0),
            _ => {}
        }
    }

    /// The terms among the values that it is given, in their order.
    pub(crate) fn terms(mut self) -> Vec<Term> {
        let mut terms = Vec::new();
        self.visit_terms(|term, _| terms.push(term));
        terms
    }

    /// The same without them: it says nothing of their numbers any more.
    pub(crate) fn without_terms(mut self) -> Operation {
        self.visit_terms(|_, word| *word = 0);
        match self {
            Operation::Decide { count, .. } => Operation::Decide { term: Term(0), list: 0, count },
            other => other,
        }
    }
}
