//! What registers and flags hold while the instructions of inline assembly are lowered, one after the other.
use super::operands::{Condition, Flag, Operands, Register, Word};
use crate::ir::{Bin, Inst, IntPredicate, Operand, Ordering};
use crate::lower::constant::mask;
use crate::lower::function::{Body, Leaf};
use crate::lower::{Refusal, Res};

/// What is known of the registers and flags.
#[derive(Default)]
pub(super) struct State {
    /// Each register with its value, and how many of its bits are known; the others are 0.
    registers: Vec<(Register, Operand, u32)>,
    /// Those that some instruction has written.
    written: Vec<Register>,
    /// How many bits each output has.
    outputs: Vec<(Register, u32)>,
    pub(super) flags: Flags,
    /// Whether anything looks at the flags.
    pub(super) wants_flags: bool,
}

/// The flags, as far as an instruction has set them: 0 or 1.
#[derive(Clone, Copy, Default)]
pub(super) struct Flags {
    pub(super) zero: Option<Operand>,
    pub(super) carry: Option<Operand>,
    pub(super) sign: Option<Operand>,
}

/// Where an instruction finds an operand.
#[derive(Clone, Copy)]
pub(super) enum Place {
    /// At this address.
    Memory(Operand),
    /// In a register.
    Register(Register),
    /// It is this number.
    Number(i64),
    /// At this distance from the beginning of what belongs to the thread.
    OfThread(i64),
    /// At the distance that this is.
    OfThreadBy(Operand),
}

impl State {
    /// The registers as the inputs leave them.
    pub(super) fn new(body: &mut Body<'_>, operands: &Operands) -> Self {
        let mut state = State::default();
        for (index, item) in operands.0.iter().enumerate().filter(|(_, item)| !item.is_output && !item.in_memory) {
            let Some(argument) = item.argument else { continue };
            // What no register for integers holds is not looked at.
            let Ok(bits @ 1..=64) = body.bits(argument) else { continue };
            if let Ok(value) = body.operand(argument) {
                state.put(operands.register(index), value, bits.next_multiple_of(8));
            }
        }
        state.written.clear();
        state
    }

    /// An output has that many bits.
    pub(super) fn declare(&mut self, register: Register, bits: u32) {
        self.outputs.push((register, bits));
    }

    /// How many bits what is in a register has, as far as that is known.
    pub(super) fn bits(&self, register: Register) -> Option<u32> {
        let declared = self.outputs.iter().find(|(known, _)| *known == register).map(|(_, bits)| *bits);
        self.get(register).map(|(_, bits)| bits).or(declared)
    }

    fn put(&mut self, register: Register, value: Operand, bits: u32) {
        self.registers.retain(|(known, ..)| *known != register);
        self.registers.push((register, value, bits));
        self.written.push(register);
    }

    /// What a register holds, and how many of its bits.
    pub(super) fn get(&self, register: Register) -> Option<(Operand, u32)> {
        self.registers.iter().find(|(known, ..)| *known == register).map(|(_, value, bits)| (*value, *bits))
    }

    /// The same, if an instruction has written it.
    pub(super) fn result(&self, register: Register) -> Option<(Operand, u32)> {
        self.written.contains(&register).then(|| self.get(register)).flatten()
    }

    /// The lowest bits of a register. What it holds from before is not known.
    pub(super) fn read(&self, body: &mut Body<'_>, register: Register, bits: u32) -> Operand {
        match self.get(register) {
            Some((value, known)) if known > bits => body.bits_of(value, known, 0, bits),
            Some((value, _)) => value,
            None => body.read(Leaf::Undef, 1),
        }
    }

    /// An instruction writes the lowest bits of a register. One that writes 32 clears those above, as the processor
    /// does.
    pub(super) fn write(&mut self, body: &mut Body<'_>, register: Register, value: Operand, bits: u32) {
        let (value, bits) = match self.get(register) {
            Some((before, known)) if bits < 32 && known > bits => {
                let kept = body.unit(1);
                let b = body.number(mask(u64::MAX, known) & !mask(u64::MAX, bits));
                body.emit(Inst::And(Bin { width: known as u8, flags: 0, dst: kept, a: before, b }));
                (body.or_shifted(Operand::slot(kept), value, 0), known)
            }
            _ => (value, bits),
        };
        self.put(register, value, bits);
    }

    /// Where a word of the text leads.
    pub(super) fn place(&self, body: &mut Body<'_>, word: &Word) -> Option<Res<Place>> {
        Some(Ok(match *word {
            Word::Memory(pointer) => match body.pointer(pointer) {
                Ok(address) => Place::Memory(address),
                Err(refusal) => return Some(Err(refusal)),
            },
            Word::Based { base, offset } => {
                let (base, _) = self.get(base)?;
                if offset == 0 {
                    return Some(Ok(Place::Memory(base)));
                }
                let dst = body.unit(1);
                body.emit(Inst::AddressOffset { dst, base, offset });
                Place::Memory(Operand::slot(dst))
            }
            Word::OfThread(offset) => Place::OfThread(offset),
            Word::OfThreadBy(distance) => match body.operand(distance) {
                Ok(distance) => Place::OfThreadBy(distance),
                Err(refusal) => return Some(Err(refusal)),
            },
            Word::Register(register, _) => Place::Register(register),
            Word::Number(number) => Place::Number(number),
        }))
    }

    /// Reads an operand: memory as a processor's load does.
    pub(super) fn load(&self, body: &mut Body<'_>, place: Place, bits: u32) -> Option<Operand> {
        match place {
            Place::Memory(address) => {
                let (dst, size) = (body.unit(1), (bits / 8) as u8);
                body.emit(Inst::AtomicLoad { size, ordering: Ordering::Acquire, dst, address });
                Some(Operand::slot(dst))
            }
            Place::Register(register) => Some(self.read(body, register, bits)),
            Place::Number(number) => Some(body.number(mask(number.cast_unsigned(), bits))),
            // What the C library keeps there: the thread's own address, twice, and what guards stacks.
            Place::OfThread(offset) => match (offset, body.context.types.pointer_bits) {
                (0 | 0x10, 64) | (0 | 8, 32) => Some(body.thread_pointer()),
                (0x28, 64) | (0x14, 32) => Some(body.number(0)),
                _ => None,
            },
            Place::OfThreadBy(distance) => {
                let (zero, pointer) = (body.number(0), body.context.types.pointer_bits);
                let is_zero = body.fresh_compare(IntPredicate::Eq, pointer, distance, zero);
                let (elsewhere, there) = (body.label(), body.label());
                body.branch_on(is_zero, there, elsewhere);
                body.bind(elsewhere);
                body.refuse(Refusal(
                    "inline assembly that reads what belongs to the thread elsewhere than at 0".into(),
                ));
                body.bind(there);
                Some(body.thread_pointer())
            }
        }
    }

    /// Writes an operand: memory as a processor's store does.
    pub(super) fn store(&mut self, body: &mut Body<'_>, place: Place, value: Operand, bits: u32) -> Option<()> {
        match place {
            Place::Memory(address) => {
                let size = (bits / 8) as u8;
                body.emit(Inst::AtomicStore { size, ordering: Ordering::Release, address, value });
            }
            Place::Register(register) => self.write(body, register, value, bits),
            Place::Number(_) | Place::OfThread(_) | Place::OfThreadBy(_) => return None,
        }
        Some(())
    }

    /// Whether a condition on the flags holds, as 0 or 1.
    pub(super) fn holds(&self, body: &mut Body<'_>, condition: Condition) -> Option<Operand> {
        let flag = match condition.flag {
            Flag::Zero => self.flags.zero,
            Flag::Carry => self.flags.carry,
            Flag::Sign => self.flags.sign,
        }?;
        if !condition.negated {
            return Some(flag);
        }
        let zero = body.number(0);
        Some(body.fresh_compare(IntPredicate::Eq, 8, flag, zero))
    }

    /// The flags that follow from a result.
    pub(super) fn note_result(&mut self, body: &mut Body<'_>, result: Operand, bits: u32, carry: Option<Operand>) {
        let zero = body.number(0);
        self.flags = Flags {
            zero: Some(body.fresh_compare(IntPredicate::Eq, bits, result, zero)),
            carry,
            sign: Some(body.fresh_compare(IntPredicate::Slt, bits, result, zero)),
        };
    }
}
