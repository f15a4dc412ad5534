//! Results that LLVM calls poison: an instruction declares that something never happens (`nuw`, `exact`, `nnan`, …),
//! and it does.
//!
//! The result is computed as if nothing had been declared, and then becomes undefined if what was declared does not
//! hold. [`crate::pass`] leaves declarations only in functions that no optimiser has been over. Signed overflow of
//! additions and the like is not here: the machine checks it by itself, as an error. docs/undefined.md lists all of it.
use super::Res;
use super::function::{Body, Leaf};
use super::huge::is_huge;
use super::llvm::{LLVMOpcode, Value};
use crate::ir::{Float, FloatOp, FloatPredicate, Inst, IntPredicate, Operand, OverflowOp, Slot, slots_of_bits};

impl Body<'_> {
    /// The result of an instruction just lowered becomes undefined where it does not keep what it declares.
    pub(super) fn keep_word(&mut self, inst: Value) -> Res<()> {
        let declared = inst.declared();
        if !declared.any()
            || self.function.has_own_attribute(crate::pass::OPTIMISED)
            || is_huge(inst.ty())
            || is_huge(inst.operand(0).ty())
        {
            return Ok(());
        }
        let results = self.elements(inst)?;
        let slots = self.context.types.slots(self.scalar(inst)?);
        let mut kept = Vec::with_capacity(results.len());
        for (lane, result) in results.into_iter().enumerate() {
            let broken = match declared.nnan || declared.ninf {
                true => self.is_no_number(inst, lane, result)?,
                false => self.is_broken(inst, lane, result)?,
            };
            let dst = self.unit(slots);
            let poisoned = broken.map(|c| self.poison(dst, result, c, slots));
            kept.push(Leaf::At(poisoned.unwrap_or(result)));
        }
        self.alias(inst, kept.into());
        Ok(())
    }

    /// A value of that many slots, undefined if the condition holds.
    pub(super) fn poison(&mut self, dst: Slot, a: Operand, c: Operand, slots: u32) -> Operand {
        for i in 0..slots {
            self.emit(Inst::Poison { dst: Slot(dst.0 + i), a: a.offset(i), c });
        }
        Operand::slot(dst)
    }

    /// Whether one scalar of an operation on integers breaks its word.
    fn is_broken(&mut self, inst: Value, lane: usize, result: Operand) -> Res<Option<Operand>> {
        use LLVMOpcode::*;
        let declared = inst.declared();
        let opcode = inst.opcode();
        let bits = self.bits(inst.operand(0))?;
        let a = self.elements(inst.operand(0))?[lane];
        let b = if inst.operands() > 1 { self.elements(inst.operand(1))?[lane] } else { a };
        let mut broken = None;
        if declared.nuw {
            let found = match opcode {
                LLVMAdd => self.overflows(OverflowOp::UAdd, bits, a, b),
                LLVMSub => self.overflows(OverflowOp::USub, bits, a, b),
                LLVMMul => self.overflows(OverflowOp::UMul, bits, a, b),
                LLVMShl => self.differs_undone(LLVMLShr, bits, result, b, a)?,
                _ => self.loses_bits(inst, LLVMLShr, a)?,
            };
            broken = Some(found);
        }
        if declared.nsw {
            let found = match opcode {
                LLVMShl => self.differs_undone(LLVMAShr, bits, result, b, a)?,
                _ => self.loses_bits(inst, LLVMAShr, a)?,
            };
            broken = Some(self.either(broken, found)?);
        }
        if declared.exact {
            let back = if matches!(opcode, LLVMLShr | LLVMAShr) { LLVMShl } else { LLVMMul };
            broken = Some(self.differs_undone(back, bits, result, b, a)?);
        }
        if declared.disjoint {
            let both = self.fresh_arithmetic(LLVMAnd, bits, a, b)?;
            let zero = self.wide_number(0, bits);
            broken = Some(self.fresh_compare(IntPredicate::Ne, bits, both, zero));
        }
        if declared.nneg {
            let zero = self.wide_number(0, bits);
            broken = Some(self.fresh_compare(IntPredicate::Slt, bits, a, zero));
        }
        Ok(broken)
    }

    fn overflows(&mut self, op: OverflowOp, bits: u32, a: Operand, b: Operand) -> Operand {
        let slots = slots_of_bits(bits);
        let dst = self.unit(slots + 1);
        self.emit(Inst::Overflow { op, width: bits as u8, dst, a, b });
        Operand::slot(Slot(dst.0 + slots))
    }

    /// Whether undoing an operation by `back` does not lead back to `a`.
    fn differs_undone(&mut self, back: LLVMOpcode, bits: u32, result: Operand, b: Operand, a: Operand) -> Res<Operand> {
        let undone = self.fresh_arithmetic(back, bits, result, b)?;
        Ok(self.fresh_compare(IntPredicate::Ne, bits, undone, a))
    }

    /// Whether a truncation loses more than copies of the sign (an arithmetic shift), or than zeros (a logical one).
    fn loses_bits(&mut self, inst: Value, shift: LLVMOpcode, a: Operand) -> Res<Operand> {
        let (from, to) = (self.bits(inst.operand(0))?, self.bits(inst)?);
        let by = self.wide_number(u128::from(from - to), from);
        let up = self.fresh_arithmetic(LLVMOpcode::LLVMShl, from, a, by)?;
        self.differs_undone(shift, from, up, by, a)
    }

    /// Whether an operand or the result is a NaN or infinite although that was declared not to be.
    fn is_no_number(&mut self, inst: Value, lane: usize, result: Operand) -> Res<Option<Operand>> {
        let declared = inst.declared();
        let format = self.format(inst.operand(0))?;
        let mut numbers = Vec::new();
        for i in 0..inst.operands() {
            numbers.push(self.elements(inst.operand(i))?[lane]);
        }
        if inst.opcode() != LLVMOpcode::LLVMFCmp {
            numbers.push(result);
        }
        let mut broken = None;
        for number in numbers {
            let is_nan = self.unordered(format, number);
            // The difference of an infinite number and itself is none, and that of a NaN.
            let difference = self.unit(format.slots());
            self.emit(Inst::Float { op: FloatOp::Sub, format, dst: difference, a: number, b: number });
            let is_either = self.unordered(format, Operand::slot(difference));
            let found = match (declared.nnan, declared.ninf) {
                (true, true) => is_either,
                (true, false) => is_nan,
                _ => self.fresh_arithmetic(LLVMOpcode::LLVMXor, 1, is_either, is_nan)?,
            };
            broken = Some(self.either(broken, found)?);
        }
        Ok(broken)
    }

    fn unordered(&mut self, format: Float, a: Operand) -> Operand {
        let dst = self.unit(1);
        self.emit(Inst::FCmp { predicate: FloatPredicate::Uno, format, dst, a, b: a });
        Operand::slot(dst)
    }

    fn either(&mut self, a: Option<Operand>, b: Operand) -> Res<Operand> {
        match a {
            Some(a) => self.fresh_arithmetic(LLVMOpcode::LLVMOr, 1, a, b),
            None => Ok(b),
        }
    }
}
