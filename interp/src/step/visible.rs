//! Instructions that access promoted memory: each access is an action, and the instruction goes on after it.
//!
//! A load or store is one action, whatever its size. Copies and fills are split into pieces of at most eight bytes, for
//! they need not be atomic: each piece that is promoted where it is read, or where it is written, is an
//! action, and what lies between is done at once.
use super::{Flow, Halt};
use crate::machine::Machine;
use crate::operation::Operation;
use crate::thread::Resume;
use crate::undefined::SYMBOLIC;
use crate::value::truncate;
use frontend::ir::{Inst, Operand, Slot};

impl Machine {
    /// The action that an instruction begins with because of what is promoted, if it does.
    pub(super) fn begin_visibly(&mut self, inst: Inst) -> Result<Option<Flow>, Halt> {
        if let Some((_, bits, address)) = self.loaded(inst) {
            let size = bits.div_ceil(8);
            let visible = self.state.memory.is_visible(address, u64::from(size));
            return Ok(visible.then_some(Flow::Before(Operation::Load { address, size }, Resume::Access)));
        }
        if let Some((value, bits, address)) = self.stored(inst) {
            let size = bits.div_ceil(8);
            if !self.state.memory.is_visible(address, u64::from(size)) {
                return Ok(None);
            }
            let (mut words, mut undefined) = ([self.get(value), 0], [self.shadow(value), 0]);
            if bits > 64 {
                (words[1], undefined[1]) = (self.get(value.offset(1)), self.shadow(value.offset(1)));
            }
            let operation = Operation::Store { address, size, value: words, undefined };
            return Ok(Some(Flow::Before(operation, Resume::Behind)));
        }
        match inst {
            Inst::MemCopy { to, from, len } | Inst::MemMove { to, from, len } => {
                let (to, from, len) = (self.get(to), self.get(from), self.get(len));
                let overlap = to != from && to.abs_diff(from) < len;
                if self.state.memory.local_bytes(to, len) == len && self.state.memory.local_bytes(from, len) == len {
                    return Ok(None);
                }
                match inst {
                    Inst::MemMove { .. } if overlap => {
                        let name = self.name_of(to);
                        let reason = format!("{name} races, and is moved to a place that overlaps it{}", self.at());
                        Err(Halt::unknown(reason))
                    }
                    _ if overlap => Ok(None),
                    _ => self.copy_on(to, from, len).map(Some),
                }
            }
            Inst::MemSet { to, value, len } => {
                let (to, len) = (self.get(to), self.get(len));
                if self.state.memory.local_bytes(to, len) == len {
                    return Ok(None);
                }
                let undefined = self.shadow(value) as u8;
                self.fill_on(to, len, self.get(value) as u8, undefined).map(Some)
            }
            Inst::LifetimeStart { address } => {
                let address = self.get(address);
                let promoted = self.state.memory.is_promoted_mortal(address);
                Ok(promoted.then_some(Flow::Before(Operation::BeginVariable { address }, Resume::Behind)))
            }
            Inst::LifetimeEnd { address } => {
                let address = self.get(address);
                let promoted = self.state.memory.ends_visibly(address);
                Ok(promoted.then_some(Flow::Before(Operation::EndVariable { address }, Resume::Behind)))
            }
            Inst::StackRestore { saved } => Ok(self.end_visibly(self.get(saved) as usize)),
            _ => Ok(None),
        }
    }

    /// The action that ends the last of the current thread's stack objects, but for the first `keep`, whose end is one.
    pub(super) fn end_visibly(&self, keep: usize) -> Option<Flow> {
        let ending = self.thread(self.segment.current).allocas.get(keep..)?;
        let address = *ending.iter().rev().find(|address| self.state.memory.ends_visibly(**address))?;
        Some(Flow::Before(Operation::EndVariable { address }, Resume::Again))
    }

    /// The first object that ends with the current thread whose end is an action.
    pub(crate) fn ends_with_thread(&self) -> Option<u64> {
        if !self.state.memory.has_visible() {
            return None;
        }
        let thread = self.thread(self.segment.current);
        let all = thread.allocas.iter().rev().chain(&thread.rare.locals);
        all.copied().find(|address| self.state.memory.ends_visibly(*address))
    }

    /// Copies the rest of what the instruction at which the frame on top stands copies, up to the next action.
    pub(crate) fn copy_on(&mut self, to: u64, from: u64, len: u64) -> Result<Flow, Halt> {
        let local = self.state.memory.local_bytes(from, len).min(self.state.memory.local_bytes(to, len));
        self.copy(to, from, local)?;
        let (to, from, len) = (to + local, from + local, len - local);
        if len == 0 {
            self.advance();
            return Ok(Flow::Next);
        }
        let size = len.min(8 - from % 8).min(8 - to % 8);
        let operation = if self.state.memory.is_visible(from, size) {
            Operation::CopyRead { to, from, len, size: size as u8 }
        } else {
            let (value, undefined) = self.load(from, size)?;
            Operation::CopyWrite { to, from, len, size: size as u8, value, undefined }
        };
        Ok(Flow::Before(operation, Resume::Behind))
    }

    /// The same for what it fills.
    pub(crate) fn fill_on(&mut self, to: u64, len: u64, value: u8, undefined: u8) -> Result<Flow, Halt> {
        let local = self.state.memory.local_bytes(to, len);
        self.fill(to, local, value, undefined)?;
        let (to, len) = (to + local, len - local);
        if len == 0 {
            self.advance();
            return Ok(Flow::Next);
        }
        let size = len.min(8 - to % 8) as u8;
        Ok(Flow::Before(Operation::Fill { to, len, size, value, undefined }, Resume::Behind))
    }

    /// Gives the value that its action read, and the bits of it without a value, to the load at which the frame on top
    /// stands, and goes on after it.
    pub(crate) fn finish_load(&mut self, value: [u64; 2], undefined: [u64; 2]) {
        let frame = self.thread(self.segment.current).top();
        let inst = self.program.module.functions[frame.function.index()].code[frame.pc as usize];
        let (dst, bits, _) = self.loaded(inst).expect("the thread stands at a load");
        self.put_loaded(dst, bits, value, undefined);
        self.advance();
    }

    /// Puts a loaded value of that many bits into its slots.
    pub(super) fn put_loaded(&mut self, dst: Slot, bits: u8, value: [u64; 2], undefined: [u64; 2]) {
        self.put_marked(dst, value[0], undefined[0], truncate(bits.min(64), u64::MAX));
        if bits == 1 && undefined[0] & 1 != 0 && undefined[0] != SYMBOLIC {
            self.mark_undefined(dst, u64::MAX);
        }
        if bits > 64 {
            self.put_marked(Slot(dst.0 + 1), value[1], undefined[1], truncate(bits - 64, u64::MAX));
        }
    }

    /// Where a load puts how many bits from which address.
    pub(super) fn loaded(&mut self, inst: Inst) -> Option<(Slot, u8, u64)> {
        Some(match inst {
            Inst::Load8 { dst, address, offset } => (dst, 8, self.offset(address, offset)),
            Inst::Load16 { dst, address, offset } => (dst, 16, self.offset(address, offset)),
            Inst::Load32 { dst, address, offset } => (dst, 32, self.offset(address, offset)),
            Inst::Load64 { dst, address, offset } => (dst, 64, self.offset(address, offset)),
            Inst::LoadBits { bits, dst, address, offset } => (dst, bits, self.offset(address, offset)),
            Inst::LoadIndexed { size, scale, dst, base, index, offset } => {
                (dst, 8 * size, self.indexed(base, index, scale, offset))
            }
            _ => return None,
        })
    }

    /// What a store puts, how many bits, to which address.
    pub(super) fn stored(&mut self, inst: Inst) -> Option<(Operand, u8, u64)> {
        Some(match inst {
            Inst::Store8 { address, offset, value } => (value, 8, self.offset(address, offset)),
            Inst::Store16 { address, offset, value } => (value, 16, self.offset(address, offset)),
            Inst::Store32 { address, offset, value } => (value, 32, self.offset(address, offset)),
            Inst::Store64 { address, offset, value } => (value, 64, self.offset(address, offset)),
            Inst::StoreBits { bits, address, offset, value } => (value, bits, self.offset(address, offset)),
            Inst::StoreIndexed { size, scale, base, index, offset, value } => {
                (value, 8 * size, self.indexed(base, index, scale, offset))
            }
            _ => return None,
        })
    }

    /// The address that the program computes so.
    pub(super) fn offset(&mut self, base: Operand, offset: impl Into<i64>) -> u64 {
        let base = self.get(base);
        let address = base.wrapping_add_signed(offset.into()) & self.program.pointer_mask;
        self.state.memory.derive(base, address)
    }

    /// The same with an index.
    pub(super) fn indexed(&mut self, base: Operand, index: Operand, scale: impl Into<u64>, offset: i32) -> u64 {
        let (base, scaled) = (self.get(base), self.get(index).wrapping_mul(scale.into()));
        let address = base.wrapping_add(scaled).wrapping_add_signed(i64::from(offset)) & self.program.pointer_mask;
        self.state.memory.derive(base, address)
    }
}
