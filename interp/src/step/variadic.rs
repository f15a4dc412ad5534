//! Variable arguments: all of them lie in one memory object, to which `va_start` makes the ABI's va_list point.
//!
//! The System V ABI of x86-64 (3.5.7) has a function save the registers in which arguments may come; those that came
//! through memory lie elsewhere, and the va_list says where and how much of each was used. Here the object has, one
//! behind another, the va_list that `va_start` gives, the registers for numbers and pointers, those for
//! floating-point numbers and vectors, and what came through memory. Arguments in registers stand at the *end* of
//! their area: code that asks for one more finds the area exhausted, as if all registers had been used, and then that
//! nothing is left in memory.
use super::Halt;
use crate::library::hooks::Content;
use crate::machine::Machine;
use crate::memory::{ObjectKind, Request};
use frontend::ir::{Arg, FuncId, Inst, Registers};

/// Fields of the va_list of x86-64, its size, and where the saved registers of each sort end.
const GP_OFFSET: u64 = 0;
const FP_OFFSET: u64 = 4;
const OVERFLOW: u64 = 8;
const REGISTERS: u64 = 16;
const LIST: u64 = 24;
const GP_END: u64 = 48;
const FP_END: u64 = 176;

/// Where the saved registers begin in the object.
const SAVED: u64 = 32;

/// Where a variable argument lies: from which place on in its part of the object.
#[derive(Clone, Copy)]
enum Place {
    General(u64),
    Vector(u64),
    Memory(u64),
}

/// The places of the variable arguments of a call, and what they need.
struct Layout {
    places: Vec<Place>,
    /// Registers that variable arguments came in.
    taken: Registers,
    /// Bytes of what came through memory, and their alignment.
    memory: u64,
    align: u64,
}

impl Layout {
    /// Of arguments, of which the first ones have names.
    fn new(args: &[Arg], named: usize, pointer_bytes: u64) -> Layout {
        let mut left = if pointer_bytes == 8 { Registers { general: 6, vector: 8 } } else { Registers::default() };
        let mut layout = Layout { places: Vec::new(), taken: Registers::default(), memory: 0, align: pointer_bytes };
        for (index, arg) in args.iter().enumerate() {
            let Registers { general, vector } = arg.registers;
            let fits = general <= left.general && vector <= left.vector && arg.registers != Registers::default();
            if fits {
                left.general -= general;
                left.vector -= vector;
            }
            if index < named {
                continue;
            }
            layout.places.push(if !fits {
                let align = u64::from(arg.align).max(pointer_bytes);
                let start = layout.memory.next_multiple_of(align);
                let bytes = arg.byval.map_or(u64::from(arg.bytes), |(size, _)| size);
                layout.memory = start + bytes.next_multiple_of(pointer_bytes);
                layout.align = layout.align.max(align);
                Place::Memory(start)
            } else if general > 0 {
                layout.taken.general += general;
                Place::General(8 * u64::from(layout.taken.general - general))
            } else {
                layout.taken.vector += vector;
                Place::Vector(16 * u64::from(layout.taken.vector - vector))
            });
        }
        layout
    }

    /// `gp_offset` and `fp_offset`.
    fn offsets(&self) -> (u64, u64) {
        (GP_END - 8 * u64::from(self.taken.general), FP_END - 16 * u64::from(self.taken.vector))
    }

    /// Where in the object begins what came through memory.
    fn overflow(&self, pointer_bytes: u64) -> u64 {
        if pointer_bytes == 4 {
            return 0;
        }
        let saved = match self.taken {
            Registers { vector: 1.., .. } => FP_END,
            Registers { general: 1.., .. } => GP_END,
            _ => 0,
        };
        (SAVED + saved).next_multiple_of(self.align)
    }
}

impl Machine {
    /// Executes an instruction on a va_list.
    pub(super) fn variadic(&mut self, inst: Inst) -> Result<(), Halt> {
        let long = self.program.pointer_bytes == 8;
        match inst {
            Inst::VaStart { ap } => {
                let (ap, area) = (self.get(ap), self.thread(self.segment.current).top().variadic);
                if !long {
                    return self.store(ap, 4, area, 0);
                }
                if area != 0 {
                    return self.copy(ap, area, LIST);
                }
                // Whatever started the function knows of no variable arguments.
                self.store(ap, 8, FP_END << 32 | GP_END, 0)?;
                self.store(ap + OVERFLOW, 8, 0, 0)?;
                self.store(ap + REGISTERS, 8, 0, 0)
            }
            Inst::VaEnd { ap: _ } => Ok(()),
            Inst::VaCopy { to, from } => self.copy(self.get(to), self.get(from), if long { LIST } else { 4 }),
            Inst::VaArg { bits, registers, dst, ap } => {
                let ap = self.get(ap);
                let (field, end, step) = match registers {
                    Registers { general: 1.., .. } => (GP_OFFSET, GP_END, 8 * u64::from(registers.general)),
                    _ => (FP_OFFSET, FP_END, 16 * u64::from(registers.vector)),
                };
                if long && step > 0 {
                    let offset = self.list_field(ap + field, 4)?;
                    if offset + step <= end {
                        let saved = self.list_field(ap + REGISTERS, 8)?;
                        self.store(ap + field, 4, offset + step, 0)?;
                        return self.load_bits(dst, bits, saved + offset);
                    }
                }
                let (place, slot) = if long { (ap + OVERFLOW, 8) } else { (ap, 4) };
                let next = self.list_field(place, slot)?;
                let start = next.next_multiple_of(if long && bits > 64 { 16 } else { slot });
                self.store(place, slot, start + u64::from(bits).div_ceil(8).next_multiple_of(slot), 0)?;
                self.load_bits(dst, bits, start)
            }
            other => unreachable!("{other:?} is executed elsewhere"),
        }
    }

    /// A field of a va_list.
    fn list_field(&mut self, address: u64, size: u64) -> Result<u64, Halt> {
        match self.load(address, size)? {
            (value, 0) => Ok(value),
            _ => Err(super::slow::undefined("va_arg")),
        }
    }

    /// Lays out the variable arguments of a call, of which the first ones are `named`; `copies` has the addresses of
    /// the copies of those passed by value.
    pub(super) fn variable_arguments(
        &mut self,
        callee: FuncId,
        args: &[Arg],
        named: usize,
        copies: &[(usize, u64)],
    ) -> Result<u64, Halt> {
        let pointer_bytes = self.program.pointer_bytes;
        let layout = Layout::new(args, named, pointer_bytes);
        let overflow = layout.overflow(pointer_bytes);
        let kind = ObjectKind::Variadic(callee);
        let (size, align) = (overflow + layout.memory, layout.align.max(16));
        let area = self.stack_object(Request { kind, size, align, content: Content::Unwritten })?;
        let (gp_offset, fp_offset) = layout.offsets();
        if pointer_bytes == 8 {
            self.store(area + GP_OFFSET, 4, gp_offset, 0)?;
            self.store(area + FP_OFFSET, 4, fp_offset, 0)?;
            self.store(area + OVERFLOW, 8, area + overflow, 0)?;
            self.store(area + REGISTERS, 8, area + SAVED, 0)?;
        }
        for ((index, arg), place) in args.iter().enumerate().skip(named).zip(&layout.places) {
            let start = match place {
                Place::General(at) => area + SAVED + gp_offset + at,
                Place::Vector(at) => area + SAVED + fp_offset + at,
                Place::Memory(at) => area + overflow + at,
            };
            if let Some((_, copy)) = copies.iter().find(|c| c.0 == index) {
                self.copy(start, *copy, u64::from(arg.bytes))?;
                continue;
            }
            for slot in 0..arg.slots {
                let done = 8 * u64::from(slot);
                let size = u64::from(arg.bytes).saturating_sub(done).min(8);
                if size > 0 {
                    let operand = arg.value.offset(slot);
                    let (value, shadow) = (self.get(operand), self.shadow(operand));
                    self.store(start + done, size, value, shadow)?;
                }
            }
        }
        Ok(area)
    }
}
