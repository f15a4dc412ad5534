//! Jumps.
use super::plain::switch_target;
use super::{Flow, Halt};
use crate::machine::Machine;
use crate::memory::CodeAddress;
use crate::value::compare;
use crate::verdict::fault::Kind;
use frontend::ir::{Inst, Pc};

impl Machine {
    /// Executes a jump of any kind. Conditions are known to be defined.
    pub(super) fn jump(&mut self, inst: Inst) -> Result<Flow, Halt> {
        let function = self.thread(self.segment.current).top().function;
        let target = match inst {
            Inst::Jump { target } => target,
            Inst::Branch { condition, then, otherwise } => {
                if self.get(condition) & 1 != 0 {
                    then
                } else {
                    otherwise
                }
            }
            Inst::BranchICmp { predicate, width, a, b, then, otherwise } => {
                if compare(predicate, width, self.get(a), self.get(b)) { then } else { otherwise }
            }
            Inst::Switch { table, width: _, value } => {
                let table = &self.program.module.functions[function.index()].switches[table as usize];
                switch_target(table, self.get(value))
            }
            Inst::IndirectJump { target } => match self.state.memory.code_at(self.get(target)) {
                Some(CodeAddress::Label(owner, pc)) if owner == function => pc,
                _ => {
                    let message = "a computed goto leads to no label of this function";
                    return Err(Halt::fault(Kind::Memory, message));
                }
            },
            other => unreachable!("{other:?} is not a jump"),
        };
        self.go_to(target);
        Ok(Flow::Next)
    }

    pub(crate) fn go_to(&mut self, target: Pc) {
        let frame = self.thread_mut(self.segment.current).top_mut();
        let back = target.0 <= frame.pc;
        frame.pc = target.0;
        if back {
            self.segment.spin.turned(self.segment.spin.turns_left() - 1);
        }
    }
}
