//! Integer arithmetic, comparisons and conversions, element by element for vectors.
use super::constant::mask;
use super::function::{Body, Leaf};
use super::inst::{fused_comparison, int_predicate};
use super::llvm::{Kind, LLVMOpcode, Value};
use super::{Refusal, Res};
use crate::ir::{Bin, CastKind, Inst, IntPredicate, Operand, Slot, WideOp, flags, slots_of_bits};

impl Body<'_> {
    /// Two-operand arithmetic.
    pub(super) fn binary(&mut self, v: Value) -> Res<()> {
        let bits = self.bits(v)?;
        let opcode = v.opcode();
        let flags = flags_of(v, opcode);
        let (a, b) = (self.elements(v.operand(0))?, self.elements(v.operand(1))?);
        let dst = self.define(v)?;
        for ((dst, a), b) in dst.into_iter().zip(a).zip(b) {
            self.arithmetic(opcode, bits, flags, dst, a, b)?;
        }
        Ok(())
    }

    /// One operation on scalars.
    pub(super) fn arithmetic(
        &mut self,
        opcode: LLVMOpcode,
        bits: u32,
        flags: u8,
        dst: Slot,
        a: Operand,
        b: Operand,
    ) -> Res<()> {
        use LLVMOpcode::*;
        let inst = if bits > 64 {
            let op = match opcode {
                LLVMAdd => WideOp::Add,
                LLVMSub => WideOp::Sub,
                LLVMMul => WideOp::Mul,
                LLVMUDiv => WideOp::UDiv,
                LLVMSDiv => WideOp::SDiv,
                LLVMURem => WideOp::URem,
                LLVMSRem => WideOp::SRem,
                LLVMAnd => WideOp::And,
                LLVMOr => WideOp::Or,
                LLVMXor => WideOp::Xor,
                LLVMShl => WideOp::Shl,
                LLVMLShr => WideOp::LShr,
                LLVMAShr => WideOp::AShr,
                _ => return Err(Refusal(format!("{opcode:?} of {bits} bits"))),
            };
            Inst::Wide { op, width: bits as u8, flags, dst, a, b }
        } else {
            let bin = Bin { width: bits as u8, flags, dst, a, b };
            match opcode {
                LLVMAdd => Inst::Add(bin),
                LLVMSub => Inst::Sub(bin),
                LLVMMul => Inst::Mul(bin),
                LLVMUDiv => Inst::UDiv(bin),
                LLVMSDiv => Inst::SDiv(bin),
                LLVMURem => Inst::URem(bin),
                LLVMSRem => Inst::SRem(bin),
                LLVMAnd => Inst::And(bin),
                LLVMOr => Inst::Or(bin),
                LLVMXor => Inst::Xor(bin),
                LLVMShl => Inst::Shl(bin),
                LLVMLShr => Inst::LShr(bin),
                LLVMAShr => Inst::AShr(bin),
                _ => return Err(Refusal(format!("{opcode:?}"))),
            }
        };
        self.emit(inst);
        Ok(())
    }

    /// icmp, unless its branch does it.
    pub(super) fn icmp(&mut self, v: Value) -> Res<()> {
        if fused_comparison(v) {
            return Ok(());
        }
        let predicate = int_predicate(v.int_predicate());
        let bits = self.bits(v.operand(0))?;
        let (a, b) = (self.elements(v.operand(0))?, self.elements(v.operand(1))?);
        let dst = self.define(v)?;
        for ((dst, a), b) in dst.into_iter().zip(a).zip(b) {
            self.compare(predicate, bits, dst, a, b);
        }
        Ok(())
    }

    /// One comparison of scalars.
    pub(super) fn compare(&mut self, predicate: IntPredicate, bits: u32, dst: Slot, a: Operand, b: Operand) {
        let width = bits as u8;
        self.emit(if bits > 64 {
            Inst::WideICmp { predicate, width, dst, a, b }
        } else {
            Inst::ICmp { predicate, width, dst, a, b }
        });
    }

    /// trunc.
    pub(super) fn trunc(&mut self, v: Value) -> Res<()> {
        let (from, to) = (self.bits(v.operand(0))?, self.bits(v)?);
        let sources = self.elements(v.operand(0))?;
        if from > 64 && to == 64 {
            // The low word is there already.
            self.alias(v, sources.into_iter().map(Leaf::At).collect());
            return Ok(());
        }
        let dst = self.define(v)?;
        for (dst, a) in dst.into_iter().zip(sources) {
            self.emit(if to <= 64 {
                Inst::Trunc { width: to as u8, dst, a }
            } else {
                Inst::Cast { kind: CastKind::WideTrunc, from: from as u8, to: to as u8, dst, a }
            });
        }
        Ok(())
    }

    /// zext: nothing to do up to 64 bits, as slots are zero-extended.
    pub(super) fn zext(&mut self, v: Value) -> Res<()> {
        let (from, to) = (self.bits(v.operand(0))?, self.bits(v)?);
        if slots_of_bits(from) == slots_of_bits(to) {
            let leaves = self.leaves(v.operand(0))?;
            self.alias(v, leaves);
            return Ok(());
        }
        self.extend(v, CastKind::WideZext, from, to)
    }

    /// sext.
    pub(super) fn sext(&mut self, v: Value) -> Res<()> {
        let (from, to) = (self.bits(v.operand(0))?, self.bits(v)?);
        self.extend(v, CastKind::WideSext, from, to)
    }

    fn extend(&mut self, v: Value, kind: CastKind, from: u32, to: u32) -> Res<()> {
        let sources = self.elements(v.operand(0))?;
        let dst = self.define(v)?;
        for (dst, a) in dst.into_iter().zip(sources) {
            self.emit(if to <= 64 {
                Inst::Sext { from: from as u8, to: to as u8, dst, a }
            } else {
                Inst::Cast { kind, from: from as u8, to: to as u8, dst, a }
            });
        }
        Ok(())
    }

    /// A scalar operation into a fresh slot.
    pub(super) fn fresh_arithmetic(&mut self, opcode: LLVMOpcode, bits: u32, a: Operand, b: Operand) -> Res<Operand> {
        let dst = self.unit(slots_of_bits(bits));
        self.arithmetic(opcode, bits, 0, dst, a, b)?;
        Ok(Operand::slot(dst))
    }

    /// A number of all ones.
    pub(super) fn all_ones(&mut self, bits: u32) -> Operand {
        if bits > 64 {
            return self.wide_number(u128::MAX >> (128 - bits), bits);
        }
        self.number(mask(u64::MAX, bits))
    }
}

fn flags_of(v: Value, opcode: LLVMOpcode) -> u8 {
    use LLVMOpcode::*;
    // Constant expressions carry flags too, but their operands are known not to overflow.
    if v.kind() != Kind::Instruction {
        return 0;
    }
    match opcode {
        LLVMAdd | LLVMSub | LLVMMul | LLVMShl => {
            (u8::from(v.has_nsw()) * flags::NSW) | (u8::from(v.has_nuw()) * flags::NUW)
        }
        LLVMUDiv | LLVMSDiv | LLVMLShr | LLVMAShr => u8::from(v.is_exact()) * flags::EXACT,
        _ => 0,
    }
}
