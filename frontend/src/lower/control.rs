//! Branches, switches, returns.
use super::Res;
use super::constant::mask;
use super::function::{Body, Label};
use super::inst::{fused_comparison, int_predicate};
use super::llvm::{Block, Value};
use crate::ir::{Inst, IntPredicate, Operand, Slot, SwitchTable};

impl Body<'_> {
    /// Goes on at `to`, which is emitted right behind if it is `next`.
    pub(super) fn jump(&mut self, from: Block, to: Block, next: Option<Block>) -> Res<()> {
        self.pass_values(from, to)?;
        if next != Some(to) {
            let target = self.block_labels[&to].pc();
            self.emit(Inst::Jump { target });
        }
        Ok(())
    }

    /// br.
    pub(super) fn branch(&mut self, inst: Value, next: Option<Block>) -> Res<()> {
        let here = inst.parent();
        if !inst.is_conditional() {
            return self.jump(here, inst.successor(0), next);
        }
        let condition = inst.operand(0);
        let then = self.edge(here, inst.successor(0)).pc();
        let otherwise = self.edge(here, inst.successor(1)).pc();
        if fused_comparison(condition) {
            let bits = self.bits(condition.operand(0))?;
            let a = self.operand(condition.operand(0))?;
            let b = self.operand(condition.operand(1))?;
            let predicate = int_predicate(condition.int_predicate());
            self.emit(Inst::BranchICmp { predicate, width: bits as u8, a, b, then, otherwise });
            return Ok(());
        }
        let condition = self.operand(condition)?;
        self.emit(Inst::Branch { condition, then, otherwise });
        Ok(())
    }

    /// switch.
    pub(super) fn switch(&mut self, inst: Value) -> Res<()> {
        let here = inst.parent();
        let bits = self.bits(inst.operand(0))?;
        let value = self.operand(inst.operand(0))?;
        let default = self.edge(here, inst.successor(0));
        let cases: Vec<(Value, Label)> =
            inst.cases().into_iter().map(|(case, block)| (case, self.edge(here, block))).collect();
        if bits > 64 {
            return self.wide_switch(value, bits, &cases, default);
        }
        let mut cases: Vec<_> = cases
            .into_iter()
            .map(|(case, label)| (mask(case.as_u64().unwrap_or_default(), bits), label.pc()))
            .collect();
        cases.sort_by_key(|(value, _)| *value);
        self.switches.push(SwitchTable { cases, default: default.pc() });
        let table = self.switches.len() as u32 - 1;
        self.emit(Inst::Switch { table, width: bits as u8, value });
        Ok(())
    }

    /// A switch over more than 64 bits is a row of comparisons.
    fn wide_switch(&mut self, value: Operand, bits: u32, cases: &[(Value, Label)], default: Label) -> Res<()> {
        for (case, label) in cases {
            let b = self.operand(*case)?;
            let dst = self.unit(1);
            self.emit(Inst::WideICmp { predicate: IntPredicate::Eq, width: bits as u8, dst, a: value, b });
            let next = self.label();
            self.emit(Inst::Branch { condition: Operand::slot(dst), then: label.pc(), otherwise: next.pc() });
            self.bind(next);
        }
        self.emit(Inst::Jump { target: default.pc() });
        Ok(())
    }

    /// indirectbr.
    pub(super) fn computed_goto(&mut self, inst: Value) -> Res<()> {
        let here = inst.parent();
        let target = self.operand(inst.operand(0))?;
        let mut seen: Vec<Block> = Vec::new();
        for successor in here.successors() {
            if !seen.contains(&successor) {
                self.pass_values(here, successor)?;
                seen.push(successor);
            }
        }
        self.emit(Inst::IndirectJump { target });
        Ok(())
    }

    /// ret.
    pub(super) fn ret(&mut self, inst: Value) -> Res<()> {
        let (value, n) = match inst.operands() {
            0 => (Operand::slot(Slot(0)), 0),
            _ => self.gather(inst.operand(0))?,
        };
        self.emit(Inst::Return { n, value });
        Ok(())
    }

    /// Goes to one of two places depending on a condition.
    pub(super) fn branch_on(&mut self, condition: Operand, then: Label, otherwise: Label) {
        self.emit(Inst::Branch { condition, then: then.pc(), otherwise: otherwise.pc() });
    }
}
