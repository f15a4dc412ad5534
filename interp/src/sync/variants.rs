//! In which ways an operation can happen, given the words of what it touches.
use crate::machine::Machine;
use crate::operation::{Operation, Patience, Wait};
use crate::symbolic::label_of_decision;
use crate::sync::cancel::{CANCELLED, IS_CANCELLED};
use crate::sync::condition::{SPURIOUS, TIME_OVER};
use crate::sync::footprint::{CLAIMED, EXITED, lane};
use crate::sync::read_write::{WRITER, can_read, can_write};
use crate::sync::section::WHOLE_SECTION;
use crate::sync::semaphore::can_take;
use crate::sync::{barrier, futex, mutex_owner, once};
use crate::thread::{NO_OBJECT, Pending};
use crate::waiting::TurnId;
use por::{Access, Accesses, Lanes, ObjectId, ThreadId, Variant};

impl Machine {
    /// Appends the variants; see [`por::System::variants`].
    pub(crate) fn variants_of(
        &self,
        thread: ThreadId,
        pending: &Pending,
        all: &Accesses,
        words: &[u64],
        out: &mut Vec<Variant>,
    ) {
        debug_assert_eq!(all.len(), words.len());
        let block = self.program.block_object.filter(|_| !pending.in_block);
        if let Some(block) = block
            && let Some(position) = all.iter().position(|access| access.object == block)
            && words[position] & all[position].touched() != 0
        {
            return;
        }
        let reading = |all: &Accesses| reading(all, self.program.block_object.filter(|_| pending.in_block));
        if pending.in_vain || matches!(pending.operation, Operation::InVain { .. }) {
            return;
        }
        if pending.turn != TurnId::NONE && self.waits(thread, pending, words).is_some() {
            return;
        }
        let plain = |out: &mut Vec<Variant>| out.push(Variant { label: 0, accesses: *all });
        if pending.objects[0] == NO_OBJECT {
            // Nothing is there: a fault when it happens, unless the operation touches nothing anyway.
            if let Operation::Choose { count, .. } = pending.operation {
                out.extend((0..count).map(|label| Variant { label, accesses: *all }));
            } else if let Operation::Decide { count, .. } = pending.operation {
                out.extend((0..count).map(|candidate| Variant { label: label_of_decision(candidate), accesses: *all }));
            } else {
                plain(out);
            }
            return;
        }
        let mine_or_free = |word: u64| mutex_owner(word).is_none_or(|owner| owner == thread);
        match pending.operation {
            Operation::MutexLock { .. } if pending.objects[1] != NO_OBJECT => {
                if mutex_owner(words[0]).is_none() {
                    out.push(Variant { label: WHOLE_SECTION, accesses: *all });
                }
            }
            Operation::MutexLock { patience, .. } | Operation::SpinLock { patience, .. } => {
                had_or_not(mine_or_free(words[0]), patience, all, out, reading);
            }
            Operation::ReadLock { patience, .. } => had_or_not(can_read(words[0], thread), patience, all, out, reading),
            Operation::WriteLock { patience, .. } => {
                had_or_not(can_write(words[0], thread), patience, all, out, reading)
            }
            Operation::ReadWriteUnlock { .. } => {
                let own = lane(thread);
                let writes = if words[0] & WRITER != 0 && words[0] & own != 0 { WRITER | own } else { own };
                out.push(Variant { label: 0, accesses: with_lanes(all, own, writes) });
            }
            Operation::SemaphoreWait { patience, .. } => {
                had_or_not(can_take(words[0]), patience, all, out, reading);
                if pending.objects[1] != NO_OBJECT && words[1] & CANCELLED != 0 {
                    out.push(Variant { label: IS_CANCELLED, accesses: without_first(all) });
                }
            }
            Operation::Cancel { .. } => {
                // Whether the thread is over matters only if no thread can join it any more.
                let accesses = if words[0] & CLAIMED != 0 { *all } else { with_lanes(all, CLAIMED, CANCELLED) };
                out.push(Variant { label: 0, accesses });
            }
            Operation::TestCancel { always } => {
                let cancelled = words[0] & CANCELLED != 0;
                if !cancelled || !always {
                    plain(out);
                }
                if cancelled {
                    out.push(Variant { label: IS_CANCELLED, accesses: *all });
                }
            }
            Operation::BarrierLeave { .. } => {
                let accesses = barrier::departure(thread, &pending.operation, all, words);
                out.extend(accesses.map(|accesses| Variant { label: 0, accesses }));
            }
            Operation::QueuePut { .. }
            | Operation::QueueTake { .. }
            | Operation::QueueLook { .. }
            | Operation::QueueClose { .. } => self.queue_variants(pending, all, words, out),
            Operation::FutexWait { .. }
            | Operation::FutexAwait { .. }
            | Operation::FutexWake { .. }
            | Operation::FutexRequeue { .. } => {
                let spurious = self.program.options.spurious_wakeups;
                let is_known = !self.is_of_block(all);
                futex::variants(thread, &pending.operation, spurious, (all, is_known), words, out);
            }
            Operation::OnceBegin { .. } => {
                if words[0] == once::OVER {
                    out.push(Variant { label: 0, accesses: reading(all) });
                } else if once::runner(words[0]).is_none_or(|runner| runner == thread) {
                    plain(out);
                }
            }
            Operation::CondWait { .. } => {
                plain(out);
                if self.program.options.spurious_wakeups && pending.objects[1] != NO_OBJECT {
                    out.push(Variant { label: SPURIOUS, accesses: without_first(all) });
                }
            }
            Operation::CondReacquire { wait, .. } => {
                let awake = words[0] & lane(thread) == 0;
                if !awake && pending.objects[2] != NO_OBJECT && words[2] & CANCELLED != 0 {
                    let own = lane(thread);
                    let accesses = without_second(&with_lanes(all, own, own));
                    out.push(Variant { label: IS_CANCELLED, accesses });
                }
                if !awake && wait == Wait::ForATime {
                    let own = lane(thread);
                    let accesses = without_second(&with_lanes(all, own, own));
                    out.push(Variant { label: TIME_OVER, accesses });
                }
                if awake && (pending.objects[1] == NO_OBJECT || mine_or_free(words[1])) {
                    plain(out);
                }
            }
            Operation::CondSignal { .. } => {
                if words[0] == 0 {
                    out.push(Variant { label: 0, accesses: reading(all) });
                }
                for woken in (0..64).filter(|t| words[0] >> t & 1 != 0) {
                    let lanes = 1u64 << woken;
                    out.push(Variant { label: woken + 1, accesses: with_lanes(all, lanes, lanes) });
                }
            }
            Operation::CondBroadcast { .. } => {
                out.push(Variant { label: 0, accesses: with_lanes(all, u64::MAX, words[0]) });
            }
            Operation::Join { handle, .. } => {
                let oneself = handle == u64::from(thread.0) + 1;
                if oneself || words[0] & (EXITED | CLAIMED) != 0 {
                    plain(out);
                }
                if pending.objects[1] != NO_OBJECT && words[1] & CANCELLED != 0 {
                    out.push(Variant { label: IS_CANCELLED, accesses: without_first(all) });
                }
            }
            Operation::Allocate { .. } => {
                out.push(Variant { label: 0, accesses: without_first(all) });
                for thread in (0..64).filter(|thread| words[0] >> thread & 1 != 0) {
                    let lanes = 1u64 << thread;
                    out.push(Variant { label: thread + 1, accesses: with_lanes(all, lanes, lanes) });
                }
            }
            Operation::CompareExchange { address, size, expected, .. } => {
                let current = gather(words, address, size);
                let expected = u128::from(expected[0]) | u128::from(expected[1]) << 64;
                let may_write = current == expected || self.learned.exchanges_terms || self.is_of_block(all);
                let accesses = if may_write { *all } else { reading(all) };
                out.push(Variant { label: 0, accesses });
            }
            _ => plain(out),
        }
    }

    /// Whether atomic blocks may have changed the memory that is accessed. No word says what a block has written. So an
    /// engine that asks what was in memory elsewhere in an execution gets no answer, and a variant must not depend on
    /// it.
    fn is_of_block(&self, all: &Accesses) -> bool {
        let block = self.program.block_object;
        block.is_some_and(|block| all.iter().any(|access| access.object == block))
    }
}

/// The `size` bytes at `address` out of the words of the granules that they lie in.
pub(crate) fn gather(words: &[u64], address: u64, size: u8) -> u128 {
    let mut value = 0;
    for byte in 0..u64::from(size) {
        let place = address % 8 + byte;
        let word = words.get((place / 8) as usize).copied().unwrap_or(0);
        value |= u128::from(word >> (8 * (place % 8)) & 0xff) << (8 * byte);
    }
    value
}

/// The same objects, only read. What is said of this one stays.
pub(super) fn reading(all: &Accesses, but: Option<ObjectId>) -> Accesses {
    let mut out = Accesses::none();
    for access in all.iter() {
        out.push(match Some(access.object) == but {
            true => *access,
            false => Access { reads: access.touched(), writes: 0, ..*access },
        });
    }
    out
}

/// What can be had is had; for what cannot, one waits or gives up.
fn had_or_not(
    had: bool,
    patience: Patience,
    all: &Accesses,
    out: &mut Vec<Variant>,
    reading: impl Fn(&Accesses) -> Accesses,
) {
    if had {
        out.push(Variant { label: 0, accesses: *all });
    } else if patience != Patience::Forever {
        out.push(Variant { label: 0, accesses: reading(all) });
    }
}

/// The same objects but for the mutex, which is the second.
fn without_second(all: &Accesses) -> Accesses {
    let mut out = Accesses::none();
    for (index, access) in all.iter().enumerate() {
        if index != 1 || access.lanes != Lanes::Whole {
            out.push(*access);
        }
    }
    out
}

/// The same objects but for the first.
pub(super) fn without_first(all: &Accesses) -> Accesses {
    let mut out = Accesses::none();
    all.iter().skip(1).for_each(|access| out.push(*access));
    out
}

/// The same objects, with these lanes of the first.
pub(super) fn with_lanes(all: &Accesses, reads: u64, writes: u64) -> Accesses {
    let mut out = Accesses::none();
    for (index, access) in all.iter().enumerate() {
        out.push(if index == 0 { Access { reads, writes, ..*access } } else { *access });
    }
    out
}
