//! Variable arguments: all of them lie in one memory object, to which `va_start` makes the ABI's va_list point.
use super::Halt;
use crate::library::hooks::Content;
use crate::machine::Machine;
use crate::memory::{ObjectKind, Request};
use frontend::ir::{Arg, FuncId, Inst};

/// On x86-64: values of `gp_offset` and `fp_offset` that say "all registers are used up".
const REGISTERS_USED: u64 = 176 << 32 | 48;

impl Machine {
    /// Executes an instruction on a va_list.
    pub(super) fn variadic(&mut self, inst: Inst) -> Result<(), Halt> {
        match inst {
            Inst::VaStart { ap } => {
                let (ap, area) = (self.get(ap), self.thread(self.segment.current).top().variadic);
                if self.program.pointer_bytes == 4 {
                    return self.store(ap, 4, area, 0);
                }
                self.store(ap, 8, REGISTERS_USED, 0)?;
                self.store(ap + 8, 8, area, 0)?;
                self.store(ap + 16, 8, 0, 0)
            }
            Inst::VaEnd { ap: _ } => Ok(()),
            Inst::VaCopy { to, from } => {
                let len = if self.program.pointer_bytes == 4 { 4 } else { 24 };
                self.copy(self.get(to), self.get(from), len)
            }
            Inst::VaArg { bits, dst, ap } => {
                let ap = self.get(ap);
                let place = if self.program.pointer_bytes == 4 { ap } else { ap + 8 };
                let (next, shadow) = self.load(place, self.program.pointer_bytes)?;
                if shadow != 0 {
                    return Err(super::slow::undefined("va_arg"));
                }
                let (start, end) = self.argument_place(next, u64::from(bits).div_ceil(8), bits > 64);
                self.store(place, self.program.pointer_bytes, end, 0)?;
                self.load_bits(dst, bits, start)
            }
            other => unreachable!("{other:?} is executed elsewhere"),
        }
    }

    /// Where an argument of `bytes` bytes lies that comes next behind `next`, and where the one behind it does.
    fn argument_place(&self, next: u64, bytes: u64, wide: bool) -> (u64, u64) {
        let align = if wide && self.program.pointer_bytes == 8 { 16 } else { self.program.pointer_bytes };
        let start = next.next_multiple_of(align);
        (start, start + bytes.next_multiple_of(self.program.pointer_bytes))
    }

    /// Lays out the variable arguments of a call; `copies` has the addresses of the copies of those passed by value.
    pub(super) fn variable_arguments(
        &mut self,
        callee: FuncId,
        rest: &[Arg],
        first: usize,
        copies: &[(usize, u64)],
    ) -> Result<u64, Halt> {
        let mut end = 0;
        let mut places = Vec::with_capacity(rest.len());
        for arg in rest {
            let (bytes, wide) = match arg.byval {
                Some((size, align)) => (size, align >= 16),
                None => (u64::from(arg.bytes), arg.slots == 2 && arg.bytes >= 10),
            };
            let (start, next) = self.argument_place(end, bytes, wide);
            places.push((start, bytes));
            end = next;
        }
        let kind = ObjectKind::Variadic(callee);
        let request = Request { kind, size: end, align: 16, content: Content::Unwritten };
        let area = self.stack_object(request)?;
        for (index, (arg, (start, bytes))) in rest.iter().zip(places).enumerate() {
            if let Some((_, copy)) = copies.iter().find(|c| c.0 == first + index) {
                self.copy(area + start, *copy, bytes)?;
                continue;
            }
            for slot in 0..arg.slots {
                let done = 8 * u64::from(slot);
                let size = bytes.saturating_sub(done).min(8);
                if size > 0 {
                    let operand = arg.value.offset(slot);
                    let (value, shadow) = (self.get(operand), self.shadow(operand));
                    self.store(area + start + done, size, value, shadow)?;
                }
            }
        }
        Ok(area)
    }
}
