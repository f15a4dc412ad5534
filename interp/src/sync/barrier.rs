//! Barriers. To wait at one is two actions, like waiting on a condition variable: the thread arrives, and it leaves
//! once all have arrived. Arrivals do not depend on one another, nor do departures, so a round has one order.
//!
//! For that each thread has lanes of its own, on which no other thread writes. As long as exactly as many threads use
//! the barrier as it counts, all have been through equally many rounds, or one more, so that the number of the round
//! modulo 4 is enough: the thread's *turn*. One bit says that the thread uses the barrier at all, and two are the turn
//! in Gray code, so that an arrival changes one of them:
//!
//! | turn | even bit | odd bit |
//! | --- | --- | --- |
//! | 0 | 1 | 0 |
//! | 1 | 1 | 1 |
//! | 2 | 0 | 1 |
//! | 3 | 0 | 0 |
//!
//! A thread leaves if, of the threads that use the barrier, as many as the barrier counts have the same bit as it has
//! for the parity of its turn. The bit of others is that of their last turn of the same parity: this one, or the one
//! two rounds ago. No thread can be further on, since for that this thread would have to have left.
//!
//! If more threads use it than it counts, the order of arrivals decides which of them meet. That is not explored: the
//! first thread that leaves after the arrival of one thread too many reports it.
//!
//! One thread of each round gets another result: the first that leaves. If any thread of a round looks at its result,
//! departures of all depend on one another, and each thread is the first in some execution. (That some threads look and
//! others do not is noticed when the last one arrives, and exploration starts again as if all did.) The thread that was
//! first has a bit for that, one for each parity, until it arrives for the second time. Because of these bits, to
//! initialise a barrier is an action.
use super::SyncState;
use super::mutex::errno;
use crate::machine::Machine;
use crate::operation::{Arrival, Operation};
use crate::step::Halt;
use frontend::ir::Ordering;
use por::{Accesses, ObjectId, ThreadId};

/// What messages call a barrier.
const NOUN: &str = "barrier";
/// Threads with this number or a greater one cannot use barriers.
const THREADS: u32 = 32;
/// The result for one thread of each round, an `int`.
const SERIAL_THREAD: u64 = u32::MAX as u64;
/// The place in the clocks of the first object where departures leave what they know. (The turns' arrivals are at 0 and
/// 1.)
const DEPARTED: u8 = 1 << 2;

/// The three words of a barrier, whose objects are at its first three addresses. Each has a low half and a high half,
/// with a bit for each thread.
#[derive(Clone, Copy, Debug)]
struct Words {
    /// The threads that use it, and the even bit of their turns.
    users: u64,
    /// The odd bit of their turns, in the low half.
    odd: u64,
    /// The thread that the result told in the last round of even turn, and in that of odd turn.
    told: u64,
}

/// The bits of all threads in one half of a word.
fn half(number: u8) -> u64 {
    0xffff_ffff << (32 * u32::from(number))
}

/// The bit of a thread in one half of a word.
fn bit(thread: ThreadId, number: u8) -> u64 {
    1 << (thread.0 + 32 * u32::from(number))
}

impl Words {
    fn is_used_by(self, thread: ThreadId) -> bool {
        self.users & bit(thread, 0) != 0
    }

    /// The turn after the thread's last one.
    fn next_turn(self, thread: ThreadId) -> u8 {
        let even = self.users & bit(thread, 1) != 0;
        let odd = self.odd & bit(thread, 0) != 0;
        match (self.is_used_by(thread), even, odd) {
            (false, ..) | (true, false, false) => 0,
            (true, true, false) => 1,
            (true, true, true) => 2,
            (true, false, true) => 3,
        }
    }

    fn user_count(self) -> u32 {
        (self.users as u32).count_ones()
    }

    /// How many have arrived for that turn, if no thread is further on.
    fn arrived(self, turn: u8) -> u32 {
        let users = self.users as u32;
        let bits = if turn.is_multiple_of(2) { (self.users >> 32) as u32 } else { self.odd as u32 };
        (if turn < 2 { users & bits } else { users & !bits }).count_ones()
    }

    /// Whether a thread may leave, perhaps only to find out that the barrier is gone or has too many users.
    fn lets_leave(self, thread: ThreadId, count: u32, turn: u8) -> bool {
        !self.is_used_by(thread) || self.user_count() > count || self.arrived(turn) >= count
    }

    /// Whether a thread has arrived for a round for which others have not.
    fn is_waited_at(self, count: u32) -> bool {
        let users = (0..THREADS).map(ThreadId).filter(|t| self.is_used_by(*t));
        let mut turns = users.map(|t| self.next_turn(t));
        let Some(first) = turns.next() else { return false };
        self.user_count() < count || turns.any(|turn| turn != first)
    }
}

/// What an operation of a thread may touch of each word, as (reads, writes).
pub(super) fn lanes(thread: ThreadId, operation: &Operation) -> [(u64, u64); 3] {
    if thread.0 >= THREADS {
        return [(0, 0); 3];
    }
    match *operation {
        Operation::BarrierArrive { arrival: Arrival { turn, first, told }, .. } => {
            let parity = turn % 2;
            let (even, odd) = if parity == 0 { (bit(thread, 1), 0) } else { (0, bit(thread, 0)) };
            let first = if first { bit(thread, 0) } else { 0 };
            // Reading its own bit makes it depend on the destruction of the barrier.
            [(bit(thread, 0), first | even), (0, odd), (0, if told { bit(thread, parity) } else { 0 })]
        }
        Operation::BarrierLeave { turn, used, .. } => {
            let parity = turn % 2;
            let (even, odd) = if parity == 0 { (half(1), 0) } else { (0, half(0)) };
            let told = if used { (half(parity), bit(thread, parity)) } else { (0, 0) };
            [(half(0) | even, 0), (odd, 0), told]
        }
        _ => [(u64::MAX, u64::MAX); 3],
    }
}

/// What leaving touches after histories with these words of what it may touch; `None` if it is not possible.
pub(super) fn departure(thread: ThreadId, operation: &Operation, all: &Accesses, words: &[u64]) -> Option<Accesses> {
    let Operation::BarrierLeave { count, turn, used, .. } = *operation else { unreachable!("it leaves a barrier") };
    let odd = turn % 2 == 1;
    let known = Words {
        users: words[0],
        odd: if odd { words[1] } else { 0 },
        told: if used { words[1 + usize::from(odd)] } else { 0 },
    };
    if !known.lets_leave(thread, count, turn) {
        return None;
    }
    let mut accesses = *all;
    if used && known.told & half(turn % 2) != 0 {
        accesses = Accesses::none();
        for (index, access) in all.iter().enumerate() {
            let writes = if index == 1 + usize::from(odd) { 0 } else { access.writes };
            accesses.push(por::Access { writes, ..*access });
        }
    }
    Some(accesses)
}

impl Machine {
    /// Bytes of a pthread_barrier_t.
    fn barrier_bytes(&self) -> u64 {
        if self.program.pointer_bytes == 8 { 32 } else { 20 }
    }

    fn barrier_words(&self, objects: [ObjectId; 3]) -> Words {
        let [users, odd, told] = objects.map(|object| match self.sync_state(object) {
            SyncState::Barrier { lanes, .. } => lanes,
            _ => 0,
        });
        Words { users, odd, told }
    }

    fn set_barrier_words(&mut self, objects: [ObjectId; 3], count: u32, words: Words) {
        for (object, (lanes, count)) in objects.into_iter().zip([(words.users, count), (words.odd, 0), (words.told, 0)])
        {
            self.set_sync_state(object, SyncState::Barrier { lanes, count });
        }
    }

    /// The round and turn of the next arrival of the current thread at a barrier.
    pub(super) fn next_arrival(&self, objects: [ObjectId; 3]) -> Arrival {
        let me = self.segment.current;
        if me.0 >= THREADS {
            return Arrival::default();
        }
        let words = self.barrier_words(objects);
        let turn = words.next_turn(me);
        Arrival { turn, first: !words.is_used_by(me), told: words.told & bit(me, turn % 2) != 0 }
    }

    /// For how many threads a barrier is that is being used; with all checks.
    fn barrier(&mut self, address: u64, object: ObjectId) -> Result<u32, Halt> {
        if self.segment.current.0 >= THREADS {
            let reason = format!("limit: more than {THREADS} threads in a program that uses barriers");
            return Err(Halt::unknown(reason));
        }
        match self.in_use(NOUN, (address, self.barrier_bytes()), object)? {
            SyncState::Barrier { count, .. } => Ok(count),
            _ => Err(self.misuse_of(NOUN, address, "is used before it is initialised")),
        }
    }

    /// A thread arrives for that round, and looks at the result or does not. The last one to arrive sees all others:
    /// none of them can leave before.
    fn compare_looks(&mut self, barrier: u64, turn: u8, looks: bool) {
        let differs = |operation: &Operation| match *operation {
            Operation::BarrierLeave { barrier: other, turn: its, used, .. } => {
                (other, its) == (barrier, turn) && used != looks
            }
            _ => false,
        };
        let mut threads = (0..self.state.process.threads).map(|number| &self.thread(ThreadId(number)).header.pending);
        if threads.any(|pending| pending.as_ref().is_some_and(|pending| differs(&pending.operation))) {
            self.learned.told_unasked = true;
            self.segment.restart = true;
        }
    }

    /// Arrives at a barrier. Returns the operation that comes next.
    pub(super) fn arrive(
        &mut self,
        barrier: u64,
        objects: [ObjectId; 3],
        arrival: Arrival,
        used: bool,
    ) -> Result<Operation, Halt> {
        let me = self.segment.current;
        let count = self.barrier(barrier, objects[0])?;
        let Arrival { turn, .. } = arrival;
        let mut words = self.barrier_words(objects);
        words.users |= bit(me, 0);
        if turn.is_multiple_of(2) {
            words.users ^= bit(me, 1);
        } else {
            words.odd ^= bit(me, 0);
        }
        words.told &= !bit(me, turn % 2);
        self.set_barrier_words(objects, count, words);
        self.state.memory.race.atomic_rmw(me, objects[0], 1 << (turn % 2), Ordering::Release);
        self.compare_looks(barrier, turn, used);
        Ok(Operation::BarrierLeave { barrier, count, turn, used })
    }

    /// Leaves a barrier at which all have arrived.
    pub(super) fn leave_barrier(&mut self, operation: &Operation, objects: [ObjectId; 3]) -> Result<u64, Halt> {
        let Operation::BarrierLeave { barrier, count, turn, used } = *operation else {
            unreachable!("it leaves a barrier")
        };
        let me = self.segment.current;
        let mut words = self.barrier_words(objects);
        if words.is_used_by(me) {
            // Else it has been destroyed since, as it may be. A thread that destroys it waits for those that are about
            // to leave, and may then free it.
            self.barrier(barrier, objects[0])?;
            if words.user_count() > count {
                let name = self.name_of(barrier);
                let reason = format!("more threads use the {NOUN} {name} than it is for, {count}{}", self.at());
                return Err(Halt::unknown(reason));
            }
        }
        self.state.memory.race.atomic_load(me, objects[0], 1 << (turn % 2), Ordering::Acquire);
        if words.is_used_by(me) {
            self.state.memory.race.atomic_rmw(me, objects[0], DEPARTED, Ordering::Release);
        }
        if !used {
            return Ok(0);
        }
        if !words.is_used_by(me) && self.sync_state(objects[0]) != SyncState::Unused {
            let reason = format!("a thread leaves a {NOUN} that has been initialised again since{}", self.at());
            return Err(Halt::unknown(reason));
        }
        // A thread that comes later is told something else, though it does not learn of the threads that came earlier.
        self.note_unordered();
        if words.told & half(turn % 2) != 0 {
            return Ok(0);
        }
        words.told |= bit(me, turn % 2);
        self.set_sync_state(objects[2], SyncState::Barrier { lanes: words.told, count: 0 });
        Ok(SERIAL_THREAD)
    }

    /// Destroys a barrier. Threads that may leave still can, and get the same results as before.
    pub(super) fn destroy_barrier(&mut self, address: u64, objects: [ObjectId; 3]) -> Result<u64, Halt> {
        let count = self.barrier(address, objects[0])?;
        let words = self.barrier_words(objects);
        if words.is_waited_at(count) {
            return Err(self.misuse_of(NOUN, address, "is destroyed while threads wait at it"));
        }
        self.state.memory.race.atomic_load(self.segment.current, objects[0], DEPARTED, Ordering::Acquire);
        self.set_sync_state(objects[1], SyncState::Unused);
        self.destroy(address, objects[0])
    }

    /// Prepares a barrier.
    pub(super) fn barrier_init(&mut self, address: u64, objects: [ObjectId; 3], count: u32) -> Result<u64, Halt> {
        if count == 0 {
            return Ok(errno::EINVAL);
        }
        self.renew(NOUN, (address, self.barrier_bytes()), objects[0])?;
        self.set_barrier_words(objects, count, Words { users: 0, odd: 0, told: 0 });
        Ok(0)
    }
}
