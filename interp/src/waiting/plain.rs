//! What a turn reads besides, without an action: plain memory that nothing races for.
//!
//! While a thread waits, nobody may change that memory. So the thread reads it once, for the race detector, when it
//! comes to stand before the access at which it may wait. Whoever writes there while it waits races with that, for
//! nothing of the thread is ordered before what others do behind it. Then the object is not waited for any more, and
//! the exploration starts again; as it does if this read races only because the thread has not learned yet what it
//! would have learned from the access.
//!
//! What is read depends on what the access has read. That is what is there when the thread comes to stand there. With
//! another value the thread takes the access, and perhaps comes back to it.
//!
//! If a turn has several accesses, the thread has taken some of them when it waits, and has read what lies between.
//! That is read once more as well. For it may have been before an action of the thread by which others know of the
//! read, so that they may write there.
use crate::machine::Machine;
use crate::memory::{Mode, ObjectKind};
use crate::step::Halt;
use crate::thread::Pending;
use crate::waiting::turn::{PlainRead, Turn, TurnId};
use crate::waiting::walker::{Stop, Value, Walker};
use crate::waiting::{MOST, unchanged};

impl Machine {
    /// Notes what the turn reads on its way on, with what is there now; and reads once more what the thread has read on
    /// its way here. If that has changed, or may not be waited for, the turn begins here.
    pub(super) fn read_on_the_way(&mut self, pending: &Pending, turn: &mut Turn) -> Result<(), Halt> {
        if !self.looks_for_races() || self.has_terms() {
            return Ok(());
        }
        let passed: Vec<PlainRead> = self
            .lifelong
            .turns
            .since(turn.since)
            .flat_map(|turn| turn.passed.iter().chain(&turn.plain))
            .copied()
            .collect();
        if !self.read_again(&passed)? {
            turn.since = TurnId::NONE;
        }
        let Some((reads, leads_back)) = self.plain_reads(pending, turn) else { return Ok(()) };
        if !leads_back {
            turn.passed = reads.into();
        } else if self.read_again(&reads)? {
            turn.plain = reads.into();
        }
        Ok(())
    }

    /// Reads all that, for the race detector. Whether it is as it was, and may be waited for.
    fn read_again(&mut self, reads: &[PlainRead]) -> Result<bool, Halt> {
        for read in reads {
            if !self.is_quiet(read.address, read.size) {
                return Ok(false);
            }
            let object = self.state.memory.object_at(read.address).expect("it was looked at");
            let awaited = (object.kind, object.allocated.stack);
            if self.learned.awaited.insert(awaited) {
                self.segment.restart |= self.exploration.effects;
            }
            let origin = self.origin(Mode::Plain);
            let there = self.state.memory.load(&origin, read.address, read.size.into())?;
            if there.unwritten != 0 || there.value != read.value {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// What the turn reads without an action before the next access, if it comes to one and reads anything; and whether
    /// that one is where it leads back to.
    fn plain_reads(&self, pending: &Pending, turn: &Turn) -> Option<(Vec<PlainRead>, bool)> {
        let footprint = self.footprint_of(self.segment.current, pending);
        let words: Vec<u64> = footprint.iter().map(|access| self.word_of(access.object)).collect();
        let mut walker = Walker::new(self, turn);
        walker.finish_access(Value::Known(unchanged(pending, &words)?))?;
        let mut reads = Vec::new();
        while walker.go_on() == Stop::Access {
            let loaded = walker.plain_load().map(|word| vec![word]);
            let plain = loaded.or_else(|| walker.slept().map(Vec::from)).unwrap_or_default();
            if plain.is_empty() || !plain.iter().all(|&(address, size)| self.is_quiet(address, size)) {
                let since = self.lifelong.turns.since(turn.since);
                let leads_back = std::iter::once(turn).chain(since).any(|turn| self.is_back(&walker, turn));
                return (!reads.is_empty()).then_some((reads, leads_back));
            }
            for (address, size) in plain {
                let read = PlainRead { address, size, value: walker.peek((address, size))? };
                if !reads.contains(&read) {
                    reads.push(read);
                }
            }
            if reads.len() > MOST {
                return None;
            }
            walker.finish_access(Value::Known(walker.read_now()?))?;
        }
        None
    }

    /// Whether the memory is there, has a value, is accessed by no action, and may be waited for.
    fn is_quiet(&self, address: u64, size: u8) -> bool {
        let memory = &self.state.memory;
        let Some(object) = memory.object_at(address).filter(|object| object.live && size <= 8) else { return false };
        let waits = matches!(object.kind, ObjectKind::Global(_) | ObjectKind::Heap { .. } | ObjectKind::Stack(..));
        waits
            && address - object.base + u64::from(size) <= object.size
            && memory.visible_bytes(address, size.into()) == 0
            && !memory.is_promoted_mortal(address)
            && (matches!(object.kind, ObjectKind::Global(_)) || !memory.has_gaps(address, size.into()))
            && !self.learned.racing.contains(&(object.kind, object.allocated.stack))
    }
}
