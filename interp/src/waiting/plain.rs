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
use crate::machine::Machine;
use crate::memory::{Mode, ObjectKind};
use crate::step::Halt;
use crate::thread::Pending;
use crate::waiting::turn::{PlainRead, Turn};
use crate::waiting::walker::{Stop, Value, Walker};
use crate::waiting::{MOST, unchanged};

impl Machine {
    /// Notes what the turn reads on its way back, if the thread waits with what is there now.
    pub(super) fn read_on_the_way(&mut self, pending: &Pending, turn: &mut Turn) -> Result<(), Halt> {
        if !self.looks_for_races() || self.has_terms() {
            return Ok(());
        }
        let Some(plain) = self.plain_reads(pending, turn) else { return Ok(()) };
        for read in &plain {
            let object = self.state.memory.object_at(read.address).expect("it was looked at");
            let awaited = (object.kind, object.allocated.stack);
            if self.learned.awaited.insert(awaited) {
                self.segment.restart |= self.exploration.effects;
            }
            let origin = self.origin(Mode::Plain);
            let there = self.state.memory.load(&origin, read.address, read.size.into())?;
            if there.unwritten != 0 {
                return Ok(());
            }
        }
        turn.plain = plain.into();
        Ok(())
    }

    /// What the turn reads without an action; `None` if it reads nothing so, or does not lead back, or reads something
    /// that is not to be waited for.
    fn plain_reads(&self, pending: &Pending, turn: &Turn) -> Option<Vec<PlainRead>> {
        let footprint = self.footprint_of(self.segment.current, pending);
        let words: Vec<u64> = footprint.iter().map(|access| self.word_of(access.object)).collect();
        let mut walker = Walker::new(self, turn);
        walker.finish_access(Value::Known(unchanged(pending, &words)?))?;
        let mut reads = Vec::new();
        while walker.go_on() == Stop::Access {
            let plain = walker.plain_load().filter(|&(address, size)| self.is_quiet(address, size));
            let Some((address, size)) = plain else {
                let since = self.lifelong.turns.since(turn.since);
                let leads_back = std::iter::once(turn).chain(since).any(|turn| self.is_back(&walker, turn));
                return (leads_back && !reads.is_empty()).then_some(reads);
            };
            if reads.len() == MOST {
                return None;
            }
            let value = walker.read_now()?;
            if reads.iter().all(|read: &PlainRead| (read.address, read.size) != (address, size)) {
                reads.push(PlainRead { address, size, value });
            }
            walker.finish_access(Value::Known(value))?;
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
