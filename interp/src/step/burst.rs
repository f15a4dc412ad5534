//! The fast loop.
use super::operate::{Cursor, Pause, operate};
use super::plain::{Next, Rules, plain};
use super::registers::Registers;
use super::tracked::access;
use super::window::Window;
use crate::machine::Machine;
use crate::quick::{Op, WINDOW};
use frontend::ir::flags;

impl Machine {
    /// Executes what is common and simple in the frame on top of the current thread, up to the first instruction that
    /// is neither. Returns at the latest when the watch for endless loops wants to look.
    pub(super) fn burst(&mut self) {
        let rules = Rules { mask: self.pointer_mask, checked: self.checked_flags & flags::NSW != 0 };
        let limit = self.step_limit;
        let memory = &mut self.memory;
        let thread = &mut self.threads[self.current.index()];
        let frame = thread.frames.last_mut().expect("a running thread has a frame");
        let function = &self.module.functions[frame.function.index()];
        let ops = &self.quick[frame.function.index()][..];
        let slots = &mut thread.regs[..];
        let base = frame.base as usize;
        let frame_slots = base..base + frame.slots as usize;
        if frame_slots.len() < WINDOW {
            Window::new(slots, base).clear_zero();
        }
        let mut turns = self.spin.turns_left();
        // Between two turns lie fewer instructions than the function has, so the limit is out of reach for that many.
        let calm = |turns: u32, left: u64| u64::from(turns).min(left / ops.len() as u64).max(1) as u32;
        let pc = frame.pc as usize;
        let quiet = calm(turns, limit.saturating_sub(self.instructions));
        let mut cursor = Cursor { pc, skew: self.instructions.wrapping_sub(pc as u64), quiet };
        turns -= quiet;
        loop {
            let mut pause = operate(ops, &mut cursor, Window::new(slots, base), memory, rules.mask);
            if matches!(pause, Pause::Stop) && matches!(ops[cursor.pc], Op::Plain) {
                let r = &mut Registers { slots, base: base as u32 };
                let inst = function.code[cursor.pc];
                match plain(r, &function.switches, rules, inst) {
                    Next::On => cursor.pc += 1,
                    Next::At(target) if cursor.jump(target.0 as usize) => pause = Pause::Turns,
                    Next::At(_) => {}
                    Next::Stop if access(r, memory, rules, inst) => cursor.pc += 1,
                    Next::Stop => break,
                }
            } else if matches!(pause, Pause::Stop) {
                break;
            }
            if matches!(pause, Pause::Turns) {
                if turns == 0 {
                    turns = u32::from(self.spin.passes(cursor.pc as u32, &slots[frame_slots.clone()]));
                }
                if turns == 0 || cursor.executed() > limit {
                    break;
                }
                cursor.quiet = calm(turns, limit - cursor.executed());
                turns -= cursor.quiet;
            }
        }
        frame.pc = cursor.pc as u32;
        self.instructions = cursor.executed();
        self.spin.turned(turns + cursor.quiet);
    }
}
