//! The fast loop while there are undefined bits.
//!
//! A program may have some all the time (a variable that is set only later, padding), so this loop has to be fast too.
use super::plain::{Next, Rules, plain};
use super::registers::Registers;
use crate::machine::Machine;
use crate::memory::Memory;
use crate::tracking;
use frontend::ir::{Inst, flags};

impl Machine {
    /// As [`Machine::burst`], following undefined bits. It leaves it to the complete forms to follow them into memory and
    /// out of it, and returns when there are none any more.
    pub(super) fn tracked_burst(&mut self) {
        let checked = self.checked_flags & flags::NSW != 0;
        let rules = Rules { mask: self.pointer_mask, checked };
        let memory = &mut self.memory;
        let thread = &mut self.threads[self.current.index()];
        let frame = thread.frames.last_mut().expect("a running thread has a frame");
        let function = &self.module.functions[frame.function.index()];
        let undefined = &mut thread.header.undefined;
        let shadows = &mut thread.shadows[..];
        let mut r = Registers { slots: &mut thread.regs[..], base: frame.base };
        let mut pc = frame.pc;
        let mut turns = self.spin.turns_left();
        loop {
            let inst = function.code[pc as usize];
            let mut view = tracking::View { slots: r.slots, base: r.base, shadows, undefined };
            if !tracking::settle(&mut view, inst, checked) {
                break;
            }
            match plain(&mut r, &function.switches, rules, inst) {
                Next::On => pc += 1,
                Next::At(target) => {
                    let back = target.0 <= pc;
                    pc = target.0;
                    turns -= u32::from(back);
                    if back && (turns == 0 || self.instructions >= self.step_limit || *undefined == 0) {
                        self.instructions += 1;
                        break;
                    }
                }
                // Nothing undefined went in, so a load that the fast way can do brings nothing undefined either.
                Next::Stop => {
                    if !access(&mut r, memory, rules, inst) {
                        break;
                    }
                    pc += 1;
                }
            }
            self.instructions += 1;
        }
        frame.pc = pc;
        self.spin.turned(turns);
    }
}

/// Executes a load or store in the fast way; false, with nothing done, if it is none or needs the complete form.
pub(super) fn access(r: &mut Registers<'_>, memory: &mut Memory, rules: Rules, inst: Inst) -> bool {
    let load = |r: &mut Registers<'_>, dst, size, address: u64| {
        let address = address & rules.mask;
        let value = match size {
            1 => memory.fast_load::<1>(address),
            2 => memory.fast_load::<2>(address),
            4 => memory.fast_load::<4>(address),
            _ => memory.fast_load::<8>(address),
        };
        value.map(|value| r.set(dst, value)).is_some()
    };
    let offset = |r: &Registers<'_>, address, offset| r.get(address).wrapping_add_signed(i64::from(offset));
    let indexed = |r: &Registers<'_>, base, index, scale, offset| {
        let scaled = r.get(index).wrapping_mul(u64::from(scale));
        r.get(base).wrapping_add(scaled).wrapping_add_signed(i64::from(offset))
    };
    let (size, address, value) = match inst {
        Inst::Load8 { dst, address, offset: o } => return load(r, dst, 1, offset(r, address, o)),
        Inst::Load16 { dst, address, offset: o } => return load(r, dst, 2, offset(r, address, o)),
        Inst::Load32 { dst, address, offset: o } => return load(r, dst, 4, offset(r, address, o)),
        Inst::Load64 { dst, address, offset: o } => return load(r, dst, 8, offset(r, address, o)),
        Inst::LoadIndexed { size, scale, dst, base, index, offset } => {
            return load(r, dst, size, indexed(r, base, index, scale, offset));
        }
        Inst::Store8 { address, offset: o, value } => (1, offset(r, address, o), value),
        Inst::Store16 { address, offset: o, value } => (2, offset(r, address, o), value),
        Inst::Store32 { address, offset: o, value } => (4, offset(r, address, o), value),
        Inst::Store64 { address, offset: o, value } => (8, offset(r, address, o), value),
        Inst::StoreIndexed { size, scale, base, index, offset, value } => {
            (size, indexed(r, base, index, scale, offset), value)
        }
        _ => return false,
    };
    let (address, value) = (address & rules.mask, r.get(value));
    match size {
        1 => memory.fast_store::<1>(address, value),
        2 => memory.fast_store::<2>(address, value),
        4 => memory.fast_store::<4>(address, value),
        _ => memory.fast_store::<8>(address, value),
    }
}
