//! The effects of actions on promoted memory: plain accesses and the ends of lives.
//!
//! For the race detector a promoted access is a sequentially consistent atomic one.
use super::footprint::{accessed, granule_lanes};
use super::perform::{AtomicKind, Done};
use crate::machine::Machine;
use crate::memory::Mode;
use crate::operation::Operation;
use crate::step::{Flow, Halt, Rest};
use crate::thread::{NO_OBJECT, Pending, Resume};
use crate::verdict::assumption::Assumption;
use crate::verdict::describe::Action;
use frontend::ir::Ordering;

impl Machine {
    /// Executes an action of this kind; `None` if it is of another one.
    pub(super) fn perform_plain(&mut self, pending: &Pending) -> Result<Option<Done>, Halt> {
        Ok(Some(match pending.operation {
            Operation::Load { address, size } => {
                self.order_plain(pending, AtomicKind::Load);
                let low = self.load_as(Mode::Visible, address, u64::from(size.min(8)))?;
                let rest = (address + 8) & self.program.pointer_mask;
                let high = if size > 8 { self.load_as(Mode::Visible, rest, u64::from(size - 8))? } else { (0, 0) };
                self.note_action(Some(u128::from(low.0) | u128::from(high.0) << 64), None);
                Done::Loaded { value: [low.0, high.0], undefined: [low.1, high.1] }
            }
            Operation::Store { address, size, value, undefined } => {
                if undefined != [0, 0] {
                    self.wait_for_nothing();
                }
                self.store_as(Mode::Visible, address, u64::from(size.min(8)), value[0], undefined[0])?;
                if size > 8 {
                    let rest = (address + 8) & self.program.pointer_mask;
                    self.store_as(Mode::Visible, rest, u64::from(size - 8), value[1], undefined[1])?;
                }
                self.order_plain(pending, AtomicKind::Store);
                self.note_action(None, Some(u128::from(value[0]) | u128::from(value[1]) << 64));
                Done::value(0)
            }
            Operation::CopyRead { to, from, len, size } => {
                self.order_plain(pending, AtomicKind::Load);
                let (value, undefined) = self.load_as(Mode::Visible, from, u64::from(size))?;
                self.note_action(Some(value.into()), None);
                if self.state.memory.is_visible(to, u64::from(size)) {
                    Done::Before(Operation::CopyWrite { to, from, len, size, value, undefined })
                } else {
                    self.store(to, u64::from(size), value, undefined)?;
                    let done = u64::from(size);
                    Done::Rest(Rest::Copy { to: to + done, from: from + done, len: len - done })
                }
            }
            Operation::CopyWrite { to, from, len, size, value, undefined } => {
                if undefined != 0 {
                    self.wait_for_nothing();
                }
                self.store_as(Mode::Visible, to, u64::from(size), value, undefined)?;
                self.order_plain(pending, AtomicKind::Store);
                self.note_action(None, Some(value.into()));
                let done = u64::from(size);
                Done::Rest(Rest::Copy { to: to + done, from: from + done, len: len - done })
            }
            Operation::Fill { to, len, size, value, undefined } => {
                if undefined != 0 {
                    self.wait_for_nothing();
                }
                let [value_word, undefined_word] = [value, undefined].map(|byte| u64::from_le_bytes([byte; 8]));
                self.store_as(Mode::Visible, to, u64::from(size), value_word, undefined_word)?;
                self.order_plain(pending, AtomicKind::Store);
                self.note_action(None, Some(value.into()));
                let done = u64::from(size);
                Done::Rest(Rest::Fill { to: to + done, len: len - done, value, undefined })
            }
            Operation::Free { address } => {
                let class = self.freed_class(&pending.operation);
                let origin = self.origin(Mode::Visible);
                self.state.memory.free(&origin, address)?;
                if let Some(class) = class {
                    self.push_freed(class, address);
                }
                Done::value(0)
            }
            Operation::EndVariable { address } => {
                let origin = self.origin(Mode::Visible);
                self.state.memory.end_for_now(&origin, address)?;
                Done::value(0)
            }
            Operation::EndThreadVariable { address, value } => {
                let origin = self.origin(Mode::Visible);
                self.state.memory.end_for_now(&origin, address)?;
                Done::Before(Operation::ThreadExit { value })
            }
            Operation::BeginVariable { address } => {
                let origin = self.origin(Mode::Visible);
                self.state.memory.lifetime_start(&origin, address)?;
                self.begin_content(Mode::Visible, address)?;
                Done::value(0)
            }
            _ => return Ok(None),
        }))
    }

    /// Stores what an action on a thread has found out, as an action of its own if it has to be one, and goes on with
    /// the call.
    pub(crate) fn hand_over(
        &mut self,
        (address, size): (u64, u8),
        (value, undefined): (u64, u64),
        resume: Resume,
    ) -> Result<Flow, Halt> {
        if self.state.memory.promoted_bytes(address, size.into()) == 0 {
            self.store(address, size.into(), value, undefined)?;
            return self.resume(resume, [0, 0], true, [0; 2]);
        }
        let (value, undefined) = ([value, 0], [undefined, 0]);
        Ok(Flow::Before(Operation::Store { address, size, value, undefined }, resume))
    }

    fn note_action(&mut self, read: Option<u128>, written: Option<u128>) {
        self.segment.last_action = Some(Action { thread: self.segment.current, read, written, result: 0 });
    }

    /// Tells the race detector about the promoted bytes of an access: before it reads, after it has written.
    pub(super) fn order_plain(&mut self, pending: &Pending, kind: AtomicKind) {
        let Some((address, size)) = accessed(&pending.operation) else { return };
        let bytes = (self.state.memory.promoted_bytes(address, u64::from(size)) as u32) << (address % 8);
        if bytes != 0 && !self.lifelong.weaker_atomics {
            // Compilers and machines promise nothing about accesses that race.
            self.lifelong.weaker_atomics = true;
            self.lifelong.assumptions.insert(Assumption::SequentialConsistency);
        }
        if matches!(kind, AtomicKind::Store) && self.is_set(pending) {
            return;
        }
        let in_block = self.thread(self.segment.current).header.block > 0;
        let (race, me) = (&mut self.state.memory.race, self.segment.current);
        for (index, object) in pending.objects.into_iter().enumerate().filter(|(_, o)| *o != NO_OBJECT) {
            let lanes = granule_lanes(bytes, index) as u8;
            match kind {
                AtomicKind::Load => race.atomic_load(me, object, lanes, Ordering::SeqCst),
                _ if in_block => self.segment.block_stores.push((object, lanes)),
                _ => race.atomic_store(me, object, lanes, Ordering::SeqCst),
            }
        }
    }
}
