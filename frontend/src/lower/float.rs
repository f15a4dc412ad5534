//! Floating-point arithmetic, comparisons and conversions, element by element for vectors.
use super::function::Body;
use super::llvm::{LLVMOpcode, LLVMRealPredicate, Value};
use super::types::Scalar;
use super::{Refusal, Res};
use crate::ir::{CastKind, Float, FloatOp, FloatPredicate, FloatUnary, Inst};

impl Body<'_> {
    /// The format of a value's scalars; refused for formats without arithmetic.
    pub(super) fn format(&mut self, v: Value) -> Res<Float> {
        match self.scalar(v)? {
            Scalar::Float(format) => Ok(format),
            _ => Err(Refusal(format!("arithmetic of type {}", v.ty().text()))),
        }
    }

    /// fadd … frem.
    pub(super) fn float_binary(&mut self, v: Value) -> Res<()> {
        let op = match v.opcode() {
            LLVMOpcode::LLVMFAdd => FloatOp::Add,
            LLVMOpcode::LLVMFSub => FloatOp::Sub,
            LLVMOpcode::LLVMFMul => FloatOp::Mul,
            LLVMOpcode::LLVMFDiv => FloatOp::Div,
            _ => FloatOp::Rem,
        };
        self.float_operation(v, op, v.operand(0), v.operand(1))
    }

    /// A two-operand operation.
    pub(super) fn float_operation(&mut self, v: Value, op: FloatOp, a: Value, b: Value) -> Res<()> {
        let format = self.format(v)?;
        let (a, b) = (self.elements(a)?, self.elements(b)?);
        let dst = self.define(v)?;
        for ((dst, a), b) in dst.into_iter().zip(a).zip(b) {
            self.emit(Inst::Float { op, format, dst, a, b });
        }
        Ok(())
    }

    /// fneg.
    pub(super) fn float_neg(&mut self, v: Value) -> Res<()> {
        self.float_unary(v, FloatUnary::Neg, v.operand(0))
    }

    /// A one-operand operation.
    pub(super) fn float_unary(&mut self, v: Value, op: FloatUnary, a: Value) -> Res<()> {
        let format = self.format(v)?;
        let a = self.elements(a)?;
        let dst = self.define(v)?;
        for (dst, a) in dst.into_iter().zip(a) {
            self.emit(Inst::FloatUnary { op, format, dst, a });
        }
        Ok(())
    }

    /// fcmp.
    pub(super) fn fcmp(&mut self, v: Value) -> Res<()> {
        self.float_compare(v, float_predicate(v.float_predicate()), v.operand(0), v.operand(1))
    }

    /// A comparison.
    pub(super) fn float_compare(&mut self, v: Value, predicate: FloatPredicate, a: Value, b: Value) -> Res<()> {
        let format = self.format(a)?;
        let (a, b) = (self.elements(a)?, self.elements(b)?);
        let dst = self.define(v)?;
        for ((dst, a), b) in dst.into_iter().zip(a).zip(b) {
            self.emit(Inst::FCmp { predicate, format, dst, a, b });
        }
        Ok(())
    }

    /// Conversions from or to floating point.
    pub(super) fn float_cast(&mut self, v: Value) -> Res<()> {
        use LLVMOpcode::*;
        let kind = match v.opcode() {
            LLVMFPToUI => CastKind::FloatToUnsigned,
            LLVMFPToSI => CastKind::FloatToSigned,
            LLVMUIToFP => CastKind::UnsignedToFloat,
            LLVMSIToFP => CastKind::SignedToFloat,
            _ => CastKind::FloatToFloat,
        };
        self.cast(v, kind, v.operand(0))
    }

    /// A conversion of that kind.
    pub(super) fn cast(&mut self, v: Value, kind: CastKind, source: Value) -> Res<()> {
        for side in [source, v] {
            if matches!(self.scalar(side)?, Scalar::Opaque(_)) {
                return Err(Refusal(format!("a conversion of type {}", side.ty().text())));
            }
        }
        let (from, to) = (self.bits(source)? as u8, self.bits(v)? as u8);
        let sources = self.elements(source)?;
        let dst = self.define(v)?;
        for (dst, a) in dst.into_iter().zip(sources) {
            self.emit(Inst::Cast { kind, from, to, dst, a });
        }
        Ok(())
    }
}

/// The predicate by our name.
fn float_predicate(predicate: LLVMRealPredicate) -> FloatPredicate {
    use LLVMRealPredicate::*;
    match predicate {
        LLVMRealPredicateFalse => FloatPredicate::False,
        LLVMRealOEQ => FloatPredicate::Oeq,
        LLVMRealOGT => FloatPredicate::Ogt,
        LLVMRealOGE => FloatPredicate::Oge,
        LLVMRealOLT => FloatPredicate::Olt,
        LLVMRealOLE => FloatPredicate::Ole,
        LLVMRealONE => FloatPredicate::One,
        LLVMRealORD => FloatPredicate::Ord,
        LLVMRealUNO => FloatPredicate::Uno,
        LLVMRealUEQ => FloatPredicate::Ueq,
        LLVMRealUGT => FloatPredicate::Ugt,
        LLVMRealUGE => FloatPredicate::Uge,
        LLVMRealULT => FloatPredicate::Ult,
        LLVMRealULE => FloatPredicate::Ule,
        LLVMRealUNE => FloatPredicate::Une,
        LLVMRealPredicateTrue => FloatPredicate::True,
    }
}
