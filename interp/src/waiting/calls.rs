//! Calls of functions of the program that a walker goes through, and returns from them.
use crate::machine::Callee;
use crate::waiting::walker::{Frame, MOST_FRAMES, UNDEFINED, Value, Walker};
use frontend::ir::{FuncId, Operand, Slot};

impl Walker<'_> {
    /// Calls a function of the program with words for all its parameters.
    pub(super) fn enter(&mut self, site: u32, callee: FuncId) -> Option<u32> {
        let function = &self.machine.program.module.functions[callee.index()];
        let is_defined = matches!(self.machine.program.callees[callee.index()], Callee::Defined);
        let args = &self.function().calls[site as usize].args;
        let fit = args.len() == function.params.len()
            && args.iter().zip(&function.params).all(|(arg, param)| arg.byval.is_none() && arg.slots == param.slots);
        if !is_defined || function.variadic || !fit || self.frames.len() >= MOST_FRAMES {
            return None;
        }
        let mut slots = Vec::with_capacity(function.frame_slots as usize);
        for (arg, param) in args.iter().zip(&function.params) {
            if (0..param.slots).any(|i| self.get(arg.value.offset(i)) == UNDEFINED) {
                return None;
            }
            slots.extend((0..param.slots).map(|i| self.masked(self.get(arg.value.offset(i)), param.masks[i as usize])));
        }
        slots.resize(function.frame_slots as usize, Value::Known(0));
        self.frames.push(Frame { function: callee, pc: 0, slots });
        Some(0)
    }

    /// Returns to a call that expects as many words.
    pub(super) fn leave(&mut self, n: u32, value: Operand) -> Option<u32> {
        let results: Vec<Value> = (0..n).map(|i| self.get(value.offset(i))).collect();
        if self.frames.len() < 2 || results.contains(&UNDEFINED) {
            return None;
        }
        self.frames.pop();
        self.forget_own();
        let (function, pc) = (self.function(), self.pc());
        let site = &function.calls[function.code[pc as usize].call_site()? as usize];
        if let Some(dst) = site.dst {
            if n < site.result_slots {
                return None;
            }
            for (i, mask) in (0..site.result_slots).zip(&site.result_masks) {
                self.set(Slot(dst.0 + i), self.masked(results[i as usize], *mask));
            }
        }
        Some(pc + 1)
    }
}
