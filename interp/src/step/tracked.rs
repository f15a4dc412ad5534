//! The fast loop while there are undefined bits.
//!
//! A program may have some all the time (a variable that is set only later, padding), so this loop has to be fast too.
use super::plain::{Next, Rules, plain};
use super::registers::Registers;
use crate::machine::Machine;
use crate::memory::Memory;
use crate::undefined;
use frontend::ir::{Inst, Operand, Slot, flags};

impl Machine {
    /// As [`Machine::burst`], following undefined bits. It leaves it to the complete forms to follow them into memory
    /// and out of it, and returns when there are none any more.
    pub(super) fn tracked_burst(&mut self) {
        let checked = self.program.checked_flags & flags::NSW != 0;
        let rules = Rules { mask: self.program.pointer_mask, checked };
        let memory = &mut self.state.memory;
        let thread = &mut self.state.threads[self.segment.current.index()];
        let frame = thread.frames.last_mut().expect("a running thread has a frame");
        let function = &self.program.module.functions[frame.function.index()];
        let undefined = &mut thread.header.undefined;
        let shadows = &mut thread.shadows[..];
        let mut r = Registers { slots: &mut thread.regs[..], base: frame.base };
        let coverage = self.program.coverage.as_deref();
        let mut pc = frame.pc;
        let mut turns = self.segment.spin.turns_left();
        loop {
            let inst = function.code[pc as usize];
            let mut view = undefined::View { slots: r.slots, base: r.base, shadows, undefined };
            if !undefined::settle(&mut view, inst, checked) {
                break;
            }
            if let Some(coverage) = coverage {
                coverage.note(frame.function, pc as usize);
            }
            match plain(&mut r, memory, &function.switches, rules, inst) {
                Next::On => pc += 1,
                Next::At(target) => {
                    let back = target.0 <= pc;
                    pc = target.0;
                    turns -= u32::from(back);
                    if back && (turns == 0 || self.lifelong.instructions >= self.segment.step_limit || *undefined == 0)
                    {
                        self.lifelong.instructions += 1;
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
            self.lifelong.instructions += 1;
        }
        frame.pc = pc;
        self.segment.spin.turned(turns);
    }
}

/// What an access does with the bytes.
pub(super) enum Place {
    Load(Slot),
    Store(Operand),
}

/// The size, the address and the kind of a load or store of a simple size.
#[inline(always)]
pub(super) fn place(r: &Registers<'_>, memory: &mut Memory, rules: Rules, inst: Inst) -> Option<(u8, u64, Place)> {
    let offset = |address, offset| (r.get(address), r.get(address).wrapping_add_signed(i64::from(offset)));
    let indexed = |base, index, scale, offset| {
        let scaled = r.get(index).wrapping_mul(u64::from(scale));
        (r.get(base), r.get(base).wrapping_add(scaled).wrapping_add_signed(i64::from(offset)))
    };
    let (size, (base, address), place) = match inst {
        Inst::Load8 { dst, address, offset: o } => (1, offset(address, o), Place::Load(dst)),
        Inst::Load16 { dst, address, offset: o } => (2, offset(address, o), Place::Load(dst)),
        Inst::Load32 { dst, address, offset: o } => (4, offset(address, o), Place::Load(dst)),
        Inst::Load64 { dst, address, offset: o } => (8, offset(address, o), Place::Load(dst)),
        Inst::LoadIndexed { size, scale, dst, base, index, offset } => {
            (size, indexed(base, index, scale, offset), Place::Load(dst))
        }
        Inst::Store8 { address, offset: o, value } => (1, offset(address, o), Place::Store(value)),
        Inst::Store16 { address, offset: o, value } => (2, offset(address, o), Place::Store(value)),
        Inst::Store32 { address, offset: o, value } => (4, offset(address, o), Place::Store(value)),
        Inst::Store64 { address, offset: o, value } => (8, offset(address, o), Place::Store(value)),
        Inst::StoreIndexed { size, scale, base, index, offset, value } => {
            (size, indexed(base, index, scale, offset), Place::Store(value))
        }
        _ => return None,
    };
    Some((size, memory.derive(base, address & rules.mask), place))
}

/// Executes a load, a store or a use of addresses in the fast way; false, with nothing done, if it is none or needs the
/// complete form.
pub(super) fn access(r: &mut Registers<'_>, memory: &mut Memory, rules: Rules, inst: Inst) -> bool {
    if let Inst::UseAddress { what, a, b } = inst {
        memory.use_address(what, r.get(a), r.get(b));
        return true;
    }
    match place(r, memory, rules, inst) {
        Some((size, address, Place::Load(dst))) => {
            let value = match size {
                1 => memory.fast_load::<1>(address),
                2 => memory.fast_load::<2>(address),
                4 => memory.fast_load::<4>(address),
                _ => memory.fast_load::<8>(address),
            };
            value.map(|value| r.set(dst, value)).is_some()
        }
        Some((size, address, Place::Store(value))) => {
            let value = r.get(value);
            match size {
                1 => memory.fast_store::<1>(address, value),
                2 => memory.fast_store::<2>(address, value),
                4 => memory.fast_store::<4>(address, value),
                _ => memory.fast_store::<8>(address, value),
            }
        }
        None => false,
    }
}
