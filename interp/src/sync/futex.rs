//! Futexes: threads that wait at an address until others wake them (futex(2)).
//!
//! To wait is two operations, as with condition variables: one that reads the word and begins to wait if it holds what
//! is expected, and one that goes on. The word is read as by a relaxed atomic load. A thread that is woken knows all
//! that the thread has done that woke it; nothing else is ordered. Which of the threads that wait are woken is a
//! choice, for the system promises no order.
//!
//! A thread that is moved to another futex waits there at once: whoever wakes threads there counts it. It is told when
//! it goes on, which is an action of its own; after that it stands before the same operation at the other futex. Which
//! one that is stands under the futex that it has left and its number, where nothing that happens to it meanwhile can
//! change it.
use super::perform::Done;
use crate::machine::Machine;
use crate::memory::{ObjectKey, Role};
use crate::operation::{Operation, Patience, atomic};
use crate::race::RaceModel;
use crate::step::Halt;
use crate::symbolic::is_symbolic;
use crate::sync::SyncState;
use crate::sync::condition::{SPURIOUS, TIME_OVER};
use crate::sync::footprint::lane;
use crate::sync::mutex::errno::{EAGAIN, ETIMEDOUT};
use crate::sync::variants::{gather, reading, with_lanes, without_first};
use crate::thread::{NO_OBJECT, Pending};
use crate::verdict::assumption::Assumption;
use crate::verdict::describe::Action;
use crate::verdict::fault::Kind;
use frontend::ir::Ordering;
use por::{Access, Accesses, ObjectId, ThreadId, Variant};

/// In a label: the other bits say which threads are woken. Without it, the label is 0 (all that wait, or none), or the
/// number of the only one + 1.
const SEVERAL: u32 = 1 << 24;

/// The result of an operation that fails.
fn error(number: u64) -> Done {
    Done::value(number.wrapping_neg())
}

/// The ways to wake that many of the threads that wait: the label, and which they are. Label 0 depends on which threads
/// wait at all, and others on the threads that are woken only. Nothing if there are too many threads.
fn ways(waiting: u64, count: u32) -> Vec<(u32, u64)> {
    let threads = (0..64).filter(|thread| waiting >> thread & 1 != 0);
    let all = waiting.count_ones();
    match count {
        0 => vec![(0, 0)],
        _ if all < count => vec![(0, waiting)],
        1 => threads.map(|thread| (thread + 1, 1 << thread)).collect(),
        _ if waiting >= u64::from(SEVERAL) && all == count => vec![(0, waiting)],
        _ if waiting >= u64::from(SEVERAL) => Vec::new(),
        _ => {
            let subsets = (0..waiting as u32 + 1).filter(|subset| u64::from(*subset) & !waiting == 0);
            let chosen = subsets.filter(|subset| subset.count_ones() == count);
            chosen.map(|subset| (SEVERAL | subset, subset.into())).collect()
        }
    }
}

/// Which threads an operation wakes that is to wake that many of these, in the way with that label; `None` if there are
/// too many.
fn woken(waiting: u64, count: u32, label: u32) -> Option<u64> {
    match label {
        0 => ways(waiting, count).first().filter(|(label, _)| *label == 0).map(|(_, woken)| *woken),
        _ if label & SEVERAL != 0 => Some(u64::from(label & !SEVERAL)),
        _ => Some(1 << (label - 1)),
    }
}

/// Appends the variants of an operation on futexes; `words` are those of `all`. `is_known`: they say what is in memory.
/// Otherwise each variant is possible whatever the value is, and what it does is decided when it happens.
pub(super) fn variants(
    thread: ThreadId,
    operation: &Operation,
    spurious_wakeups: bool,
    (all, is_known): (&Accesses, bool),
    words: &[u64],
    out: &mut Vec<Variant>,
) {
    let differs = |words: &[u64], address, expected: u32| is_known && gather(words, address, 4) != u128::from(expected);
    let add = |out: &mut Vec<Variant>, label, accesses| out.push(Variant { label, accesses });
    match *operation {
        Operation::FutexWait { address, expected, .. } => {
            if differs(&words[1..], address, expected) {
                return add(out, 0, without_first(all));
            }
            add(out, 0, *all);
            if spurious_wakeups {
                add(out, SPURIOUS, without_first(all));
            }
        }
        Operation::FutexAwait { patience, .. } => {
            let own = lane(thread);
            match words[0] & own {
                0 => add(out, 0, *all),
                _ if patience == Patience::ForATime => add(out, TIME_OVER, with_lanes(all, own, own)),
                _ => {}
            }
        }
        Operation::FutexWake { count, .. } => {
            let waiting = words[0];
            if waiting == 0 || count == 0 {
                return add(out, 0, reading(all, None));
            }
            for (label, woken) in ways(waiting, count) {
                let reads = if label == 0 { u64::MAX } else { woken };
                add(out, label, with_lanes(all, reads, woken));
            }
            if ways(waiting, count).is_empty() {
                add(out, 0, *all);
            }
        }
        Operation::FutexRequeue { address, count, moved, expected, .. } => {
            if expected.is_some_and(|expected| differs(&words[2..], address, expected)) {
                return add(out, 0, without_first(&without_first(all)));
            }
            let waiting = words[0];
            for (label, woken) in ways(waiting, count) {
                let moves = if moved == 0 { 0 } else { waiting & !woken };
                let mut accesses = Accesses::none();
                for (index, access) in all.iter().enumerate() {
                    accesses.push(match index {
                        0 => Access { reads: u64::MAX, writes: woken | moves, ..*access },
                        1 => Access { reads: 0, writes: moves, ..*access },
                        _ => *access,
                    });
                }
                add(out, label, accesses);
            }
            if ways(waiting, count).is_empty() {
                add(out, 0, *all);
            }
        }
        _ => unreachable!("it is an operation on futexes"),
    }
}

impl Machine {
    fn waiting_at(&self, futex: ObjectId) -> u64 {
        match self.sync_state(futex) {
            SyncState::Futex { waiting } => waiting,
            _ => 0,
        }
    }

    fn set_waiting_at(&mut self, futex: ObjectId, waiting: u64) {
        let state = if waiting == 0 { SyncState::Unused } else { SyncState::Futex { waiting } };
        self.set_sync_state(futex, state);
    }

    /// What there is on a thread that waits, or has waited, there.
    fn place_at(&mut self, futex: ObjectId, thread: ThreadId) -> ObjectId {
        let ObjectKey::InMemory { base, generation, offset, .. } = self.state.memory.ids.key(futex) else {
            unreachable!("a futex is in memory")
        };
        // (No object in memory is so large.)
        let offset = offset | (u64::from(thread.0) + 1) << 48;
        self.state.memory.ids.intern(ObjectKey::InMemory { role: Role::Futex, base, generation, offset })
    }

    /// The threads that are woken by an operation in that variant.
    pub(crate) fn woken_at(&self, pending: &Pending, label: u32) -> u64 {
        match pending.operation {
            Operation::FutexWake { count, .. } | Operation::FutexRequeue { count, .. } => {
                woken(self.waiting_at(pending.objects[0]), count, label).unwrap_or(0)
            }
            _ => 0,
        }
    }

    /// Reads the word of a futex.
    fn read_futex(&mut self, address: u64, granule: ObjectId) -> Result<u32, Halt> {
        self.note_weak_atomic();
        if self.state.memory.race.model() != RaceModel::Sc {
            self.note_unordered();
        }
        let me = self.segment.current;
        if granule != NO_OBJECT {
            self.state.memory.race.atomic_load(me, granule, 0xf << (address % 8), Ordering::Relaxed);
        }
        let (value, undefined) = self.read_atomic(address, 4)?;
        if is_symbolic(undefined) {
            return Err(self.symbolic("the word of a futex"));
        }
        if undefined != [0; 2] {
            return Err(atomic::uninitialised());
        }
        self.segment.last_action = Some(Action { thread: me, read: Some(value), written: None, result: 0 });
        Ok(value as u32)
    }

    /// Begins to wait, if the word is what is expected.
    pub(super) fn futex_wait(&mut self, pending: &Pending, label: u32) -> Result<Done, Halt> {
        let Operation::FutexWait { address, expected, patience } = pending.operation else {
            unreachable!("it waits on a futex")
        };
        let [futex, granule, _] = pending.objects;
        let own = lane(self.segment.current);
        if own == 0 {
            return Err(Halt::unknown("limit: more than 64 threads in a program that waits on futexes"));
        }
        if self.read_futex(address, granule)? != expected {
            return Ok(error(EAGAIN));
        }
        if label == SPURIOUS {
            return Ok(Done::value(0));
        }
        if !self.program.options.spurious_wakeups {
            self.lifelong.assumptions.insert(Assumption::NoSpuriousWakeUps);
        }
        self.note_unordered();
        let waiting = self.waiting_at(futex);
        self.set_waiting_at(futex, waiting | own);
        Ok(Done::Before(Operation::FutexAwait { address, patience }))
    }

    /// Goes on: the time is over, or the thread was woken, or it waits somewhere else now.
    pub(super) fn futex_await(&mut self, pending: &Pending, label: u32) -> Done {
        let Operation::FutexAwait { patience, .. } = pending.operation else { unreachable!("it waits on a futex") };
        let (futex, me) = (pending.objects[0], self.segment.current);
        if label == TIME_OVER {
            self.note_unordered();
            let waiting = self.waiting_at(futex);
            self.set_waiting_at(futex, waiting & !lane(me));
            return error(ETIMEDOUT);
        }
        let place = self.place_at(futex, me);
        self.state.memory.race.acquire(me, place);
        match self.sync_state(place) {
            SyncState::Requeued { address } => {
                self.set_sync_state(place, SyncState::Unused);
                Done::Before(Operation::FutexAwait { address, patience })
            }
            _ => Done::value(0),
        }
    }

    /// Wakes some threads. The result is how many.
    pub(super) fn futex_wake(&mut self, pending: &Pending, label: u32) -> Result<u64, Halt> {
        let Operation::FutexWake { count, .. } = pending.operation else { unreachable!("it wakes threads") };
        let futex = pending.objects[0];
        let waiting = self.waiting_at(futex);
        let woken = self.chosen(waiting, count, label)?;
        self.wake_at(futex, woken);
        Ok(woken.count_ones().into())
    }

    /// Wakes some threads, and lets the others wait somewhere else. The result is how many were woken or moved.
    pub(super) fn futex_requeue(&mut self, pending: &Pending, label: u32) -> Result<Done, Halt> {
        let Operation::FutexRequeue { address, to, count, moved, expected } = pending.operation else {
            unreachable!("it moves threads")
        };
        let [from, target, granule] = pending.objects;
        if let Some(expected) = expected
            && self.read_futex(address, granule)? != expected
        {
            return Ok(error(EAGAIN));
        }
        let waiting = self.waiting_at(from);
        let woken = self.chosen(waiting, count, label)?;
        if target == NO_OBJECT {
            let message = format!("threads are to wait on a futex at address {to:#x}, where there is no object");
            return Err(Halt::fault(Kind::Memory, message));
        }
        let moves = if moved == 0 { 0 } else { waiting & !woken };
        if moves.count_ones() > moved {
            let reason = format!("a futex from which only some of the threads that wait are moved{}", self.at());
            return Err(Halt::unknown(reason));
        }
        self.wake_at(from, woken);
        if moves != 0 {
            self.note_unordered();
            let there = self.waiting_at(target);
            self.set_waiting_at(from, waiting & !woken & !moves);
            self.set_waiting_at(target, there | moves);
            for thread in (0..64).filter(|thread| moves >> thread & 1 != 0).map(ThreadId) {
                let place = self.place_at(from, thread);
                self.set_sync_state(place, SyncState::Requeued { address: to });
            }
        }
        Ok(Done::value((woken | moves).count_ones().into()))
    }

    fn chosen(&self, waiting: u64, count: u32, label: u32) -> Result<u64, Halt> {
        woken(waiting, count, label).ok_or_else(|| {
            let reason = "limit: more than 24 threads where some of those that wait on a futex are woken";
            Halt::unknown(format!("{reason}{}", self.at()))
        })
    }

    fn wake_at(&mut self, futex: ObjectId, woken: u64) {
        if woken == 0 {
            return;
        }
        self.note_unordered();
        for thread in (0..64).filter(|thread| woken >> thread & 1 != 0).map(ThreadId) {
            let place = self.place_at(futex, thread);
            self.state.memory.race.release(self.segment.current, place);
        }
        let waiting = self.waiting_at(futex);
        self.set_waiting_at(futex, waiting & !woken);
    }
}

#[cfg(test)]
mod tests {
    use super::{SEVERAL, ways, woken};

    #[test]
    fn every_choice_once() {
        assert_eq!(ways(0b1011, 0), [(0, 0)]);
        assert_eq!(ways(0b1011, 3), [(SEVERAL | 0b1011, 0b1011)]);
        assert_eq!(ways(0b10, 1), [(2, 0b10)]);
        assert_eq!(ways(1 << 24 | 1, 2), [(0, 1 << 24 | 1)]);
        assert_eq!(ways(0b1011, 9), [(0, 0b1011)]);
        assert_eq!(ways(0b1011, 1), [(1, 1), (2, 2), (4, 8)]);
        assert_eq!(ways(0b1011, 2), [0b0011, 0b1001, 0b1010].map(|set: u32| (SEVERAL | set, set.into())));
        assert_eq!(ways(1 << 24 | 3, 2), []);
        assert_eq!(ways(0b11_1111_1111, 4).len(), 210, "10 over 4");
    }

    #[test]
    fn labels_say_who_is_woken() {
        for waiting in [0, 1, 0b1011, 0b1111_0001] {
            for count in 0..6 {
                for (label, set) in ways(waiting, count) {
                    assert_eq!(woken(waiting, count, label), Some(set));
                }
            }
        }
        assert_eq!(woken(1 << 24 | 3, 2, 0), None);
    }
}
