//! The fast loop.
use super::first_access::first_access;
use super::operate::{Cursor, Pause, operate};
use super::plain::{Next, Rules, plain};
use super::registers::Registers;
use super::tracked::access;
use super::window::Window;
use crate::machine::Machine;
use crate::machine::access::known_stack;
use crate::memory::{AccessError, Memory, Mode, Origin};
use crate::quick::{Op, WINDOW};
use frontend::ir::flags;

impl Machine {
    /// Executes what is common and simple in the frame on top of the current thread, up to the first instruction that
    /// is neither. Returns at the latest when the watch for endless loops wants to look.
    ///
    /// # Errors
    /// An access violates the rules of memory, or is a race.
    pub(super) fn burst(&mut self) -> Result<(), AccessError> {
        let rules = Rules { mask: self.program.pointer_mask, checked: self.program.checked_flags & flags::NSW != 0 };
        let limit = self.segment.step_limit;
        let memory = &mut self.state.memory;
        let (module, current) = (&*self.program.module, self.segment.current);
        let thread = &mut self.state.threads[current.index()];
        let event = thread.header.events;
        let frame = thread.frames.last_mut().expect("a running thread has a frame");
        let function = &module.functions[frame.function.index()];
        let ops = &self.program.quick[frame.function.index()][..];
        let slots = &mut thread.regs[..];
        let base = frame.base as usize;
        let frame_slots = base..base + frame.slots as usize;
        if frame_slots.len() < WINDOW {
            Window::new(slots, base).clear_zero();
        }
        let mut turns = self.segment.spin.turns_left();
        // Between two turns lie fewer instructions than the function has, so the limit is out of reach for that many.
        let calm = |turns: u32, left: u64| match u64::from(turns) * ops.len() as u64 <= left {
            true => turns,
            false => (left / ops.len() as u64).max(1) as u32,
        };
        let coverage = self.program.coverage.as_deref();
        let pc = frame.pc as usize;
        let quiet = calm(turns, limit.saturating_sub(self.lifelong.instructions));
        let mut cursor = Cursor { pc, skew: self.lifelong.instructions.wrapping_sub(pc as u64), quiet };
        turns -= quiet;
        let mut result = Ok(());
        loop {
            let mut pause = operate(ops, &mut cursor, Window::new(slots, base), memory);
            if matches!(pause, Pause::Complete) {
                break;
            }
            if matches!(pause, Pause::Stop) {
                let r = &mut Registers { slots, base: base as u32 };
                let inst = function.code[cursor.pc];
                if let Some(coverage) = coverage {
                    coverage.note(frame.function, cursor.pc);
                }
                let simple = matches!(ops[cursor.pc], Op::Plain);
                match if simple { plain(r, memory, &function.switches, rules, inst) } else { Next::Stop } {
                    Next::On => cursor.pc += 1,
                    Next::At(target) if cursor.jump(target.0 as usize) => pause = Pause::Turns,
                    Next::At(_) => {}
                    Next::Stop if simple && access(r, memory, rules, inst) => cursor.pc += 1,
                    Next::Stop if cursor.executed() >= limit => break,
                    Next::Stop => {
                        frame.pc = cursor.pc as u32;
                        let origin = |memory: &mut Memory| {
                            let stack = known_stack(frame, &mut memory.stacks, module)?;
                            Some(Origin { thread: current, event, stack, mode: Mode::Plain })
                        };
                        match first_access(r, memory, rules, inst, origin) {
                            Ok(true) => cursor.pc += 1,
                            Ok(false) => break,
                            Err(error) => {
                                cursor.skew = cursor.skew.wrapping_add(1);
                                result = Err(error);
                                break;
                            }
                        }
                    }
                }
            }
            if matches!(pause, Pause::Turns) {
                if turns == 0 {
                    turns = u32::from(self.segment.spin.passes(cursor.pc as u32, &slots[frame_slots.clone()]));
                }
                if turns == 0 || cursor.executed() > limit {
                    break;
                }
                cursor.quiet = calm(turns, limit - cursor.executed());
                turns -= cursor.quiet;
            }
        }
        frame.pc = cursor.pc as u32;
        self.lifelong.instructions = cursor.executed();
        self.segment.spin.turned(turns + cursor.quiet);
        result
    }
}
