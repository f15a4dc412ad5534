//! The fast loop while there are undefined bits.
use super::plain::{Next, Rules, plain};
use super::registers::Registers;
use crate::machine::Machine;
use crate::tracking;
use frontend::ir::flags;

impl Machine {
    /// As [`Machine::burst`], following undefined bits. It leaves memory to the complete forms, which follow them into it
    /// and out of it, and returns when there are none any more.
    pub(super) fn tracked_burst(&mut self) {
        let checked = self.checked_flags & flags::NSW != 0;
        let rules = Rules { mask: self.pointer_mask, checked };
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
            if !tracking::is_simple(inst, checked) {
                break;
            }
            let mut view = tracking::View { slots: r.slots, base: r.base, shadows, undefined };
            if !tracking::propagate(&mut view, inst) {
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
                // Whatever settles its shadows beforehand is done without any "unless".
                Next::Stop => unreachable!("{inst:?} is simple"),
            }
            self.instructions += 1;
        }
        frame.pc = pc;
        self.spin.turned(turns);
    }
}
