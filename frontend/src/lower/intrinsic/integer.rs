//! Intrinsics on integers, element by element for vectors.
use crate::ir::{Bin, BitOp, Inst, IntOp, IntPredicate, Operand, OverflowOp, Slot, flags, slots_of_bits};
use crate::lower::Refusal;
use crate::lower::Res;
use crate::lower::function::{Body, Leaf};
use crate::lower::llvm::{LLVMOpcode, Value};

impl Body<'_> {
    /// Lowers the intrinsic if it computes with integers.
    pub(super) fn integer_intrinsic(&mut self, inst: Value, name: &str) -> Option<Res<()>> {
        if let Some(op) = bit_op(name) {
            return Some(self.bit_operation(inst, op));
        }
        if let Some(op) = int_op(name) {
            return Some(self.int_operation(inst, op));
        }
        if let Some(op) = name.strip_suffix(".with.overflow").and_then(overflow_op) {
            return Some(self.with_overflow(inst, op));
        }
        match name {
            "abs" => Some(self.absolute(inst)),
            "x86.sse2.pmovmskb.128" => Some(self.sign_bits(inst)),
            "fshl" => Some(self.funnel_shift(inst, true)),
            "fshr" => Some(self.funnel_shift(inst, false)),
            "scmp" => Some(self.three_way(inst, IntPredicate::Sgt, IntPredicate::Slt)),
            "ucmp" => Some(self.three_way(inst, IntPredicate::Ugt, IntPredicate::Ult)),
            _ => None,
        }
    }

    fn bit_operation(&mut self, inst: Value, op: BitOp) -> Res<()> {
        let bits = self.bits(inst)?;
        let (width, slots) = (bits as u8, slots_of_bits(bits));
        let excluded = self.excluded(inst, op, bits);
        let a = self.elements(inst.operand(0))?;
        let dst = self.define(inst)?;
        for (dst, a) in dst.into_iter().zip(a) {
            let Some(excluded) = excluded else {
                self.emit(Inst::Bits { op, width, dst, a });
                continue;
            };
            let result = self.unit(slots);
            self.emit(Inst::Bits { op, width, dst: result, a });
            let c = self.fresh_compare(IntPredicate::Eq, bits, a, excluded);
            self.poison(dst, Operand::slot(result), c, slots);
        }
        Ok(())
    }

    /// The sign bits of bytes, the first one's lowest.
    fn sign_bits(&mut self, inst: Value) -> Res<()> {
        let mut sum = self.number(0);
        for (index, byte) in self.elements(inst.operand(0))?.into_iter().enumerate() {
            let (sign, at_place, dst) = (self.unit(1), self.unit(1), self.unit(1));
            let (seven, place) = (self.number(7), self.number(index as u64));
            self.arithmetic(LLVMOpcode::LLVMLShr, 8, 0, sign, byte, seven)?;
            self.arithmetic(LLVMOpcode::LLVMShl, 32, 0, at_place, Operand::slot(sign), place)?;
            self.arithmetic(LLVMOpcode::LLVMOr, 32, 0, dst, sum, Operand::slot(at_place))?;
            sum = Operand::slot(dst);
        }
        self.alias(inst, [Leaf::At(sum)].into());
        Ok(())
    }

    /// The operand for which there is no result, if the call says so: `__builtin_clz(0)`.
    fn excluded(&mut self, inst: Value, op: BitOp, bits: u32) -> Option<Operand> {
        let number = match op {
            BitOp::LeadingZeros | BitOp::TrailingZeros => 0,
            BitOp::Abs => 1 << (bits - 1),
            BitOp::PopCount | BitOp::ByteSwap | BitOp::BitReverse => return None,
        };
        (inst.operand(1).as_u64() == Some(1)).then(|| self.wide_number(number, bits))
    }

    /// The value without its sign. In C the smallest number has none (the second operand says so): negating it is the
    /// overflow.
    fn absolute(&mut self, inst: Value) -> Res<()> {
        let bits = self.bits(inst)?;
        if bits > 64 || inst.operand(1).as_u64() == Some(0) {
            return self.bit_operation(inst, BitOp::Abs);
        }
        let width = bits as u8;
        let zero = self.number(0);
        let values = self.elements(inst.operand(0))?;
        let dst = self.define(inst)?;
        for (dst, b) in dst.into_iter().zip(values) {
            let negated = self.unit(1);
            self.emit(Inst::Sub(Bin { flags: flags::NSW, width, dst: negated, a: zero, b }));
            self.emit(Inst::Int { op: IntOp::SMax, width, dst, a: b, b: Operand::slot(negated) });
        }
        Ok(())
    }

    fn int_operation(&mut self, inst: Value, op: IntOp) -> Res<()> {
        let bits = self.bits(inst)?;
        let (a, b) = (self.elements(inst.operand(0))?, self.elements(inst.operand(1))?);
        let dst = self.define(inst)?;
        for ((dst, a), b) in dst.into_iter().zip(a).zip(b) {
            self.int_scalar(op, bits, dst, a, b)?;
        }
        Ok(())
    }

    /// One of the less common operations on scalars.
    pub(in crate::lower) fn int_scalar(&mut self, op: IntOp, bits: u32, dst: Slot, a: Operand, b: Operand) -> Res<()> {
        if bits <= 64 {
            self.emit(Inst::Int { op, width: bits as u8, dst, a, b });
            return Ok(());
        }
        match op {
            IntOp::SMin => self.wide_choice(IntPredicate::Slt, bits, dst, a, b),
            IntOp::SMax => self.wide_choice(IntPredicate::Sgt, bits, dst, a, b),
            IntOp::UMin => self.wide_choice(IntPredicate::Ult, bits, dst, a, b),
            IntOp::UMax => self.wide_choice(IntPredicate::Ugt, bits, dst, a, b),
            IntOp::SAddSat => self.wide_saturated(OverflowOp::SAdd, bits, dst, a, b)?,
            IntOp::UAddSat => self.wide_saturated(OverflowOp::UAdd, bits, dst, a, b)?,
            IntOp::SSubSat => self.wide_saturated(OverflowOp::SSub, bits, dst, a, b)?,
            IntOp::USubSat => self.wide_saturated(OverflowOp::USub, bits, dst, a, b)?,
            IntOp::SShlSat | IntOp::UShlSat => {
                return Err(Refusal(format!("{op:?} of {bits} bits")));
            }
        }
        Ok(())
    }

    /// `a` if it compares so with `b`, else `b`.
    fn wide_choice(&mut self, predicate: IntPredicate, bits: u32, dst: Slot, a: Operand, b: Operand) {
        let c = self.fresh_compare(predicate, bits, a, b);
        self.select_scalar(dst, c, a, b, 2);
    }

    fn wide_saturated(&mut self, op: OverflowOp, bits: u32, dst: Slot, a: Operand, b: Operand) -> Res<()> {
        let sum = self.unit(3);
        self.emit(Inst::Overflow { op, width: bits as u8, dst: sum, a, b });
        let (result, overflow) = (Operand::slot(sum), Operand::slot(Slot(sum.0 + 2)));
        let limit = match op {
            OverflowOp::UAdd => self.all_ones(bits),
            OverflowOp::USub => self.wide_number(0, bits),
            _ => {
                // The sign of a wrapped result is the wrong one: the other sign's limit is meant.
                let last = self.wide_number(u128::from(bits - 1), bits);
                let sign = self.fresh_arithmetic(LLVMOpcode::LLVMAShr, bits, result, last)?;
                let minimum = self.wide_number(1 << (bits - 1), bits);
                self.fresh_arithmetic(LLVMOpcode::LLVMXor, bits, sign, minimum)?
            }
        };
        self.select_scalar(dst, overflow, limit, result, 2);
        Ok(())
    }

    /// Result and overflow bit; for vectors all results come before all bits.
    fn with_overflow(&mut self, inst: Value, op: OverflowOp) -> Res<()> {
        let bits = self.bits(inst.operand(0))?;
        let slots = slots_of_bits(bits);
        let (a, b) = (self.elements(inst.operand(0))?, self.elements(inst.operand(1))?);
        let (mut results, mut overflows) = (Vec::new(), Vec::new());
        for (a, b) in a.into_iter().zip(b) {
            let dst = self.unit(slots + 1);
            self.emit(Inst::Overflow { op, width: bits as u8, dst, a, b });
            results.push(Leaf::At(Operand::slot(dst)));
            overflows.push(Leaf::At(Operand::slot(Slot(dst.0 + slots))));
        }
        results.append(&mut overflows);
        self.alias(inst, results.into());
        Ok(())
    }

    fn funnel_shift(&mut self, inst: Value, left: bool) -> Res<()> {
        let bits = self.bits(inst)?;
        let a = self.elements(inst.operand(0))?;
        let b = self.elements(inst.operand(1))?;
        let c = self.elements(inst.operand(2))?;
        let dst = self.define(inst)?;
        for (((dst, a), b), c) in dst.into_iter().zip(a).zip(b).zip(c) {
            if bits <= 64 {
                self.emit(Inst::FunnelShift { left, width: bits as u8, dst, a, b, c });
            } else {
                self.wide_funnel_shift(left, bits, dst, a, b, c)?;
            }
        }
        Ok(())
    }

    /// Left: `a << s | b >> 1 >> (bits - 1 - s)` where `s = c % bits`, so that no shift is by all bits; right the same
    /// with the sides changed.
    fn wide_funnel_shift(&mut self, left: bool, bits: u32, dst: Slot, a: Operand, b: Operand, c: Operand) -> Res<()> {
        let modulus = self.wide_number(u128::from(bits), bits);
        let last = self.wide_number(u128::from(bits - 1), bits);
        let one = self.wide_number(1, bits);
        let s = self.fresh_arithmetic(LLVMOpcode::LLVMURem, bits, c, modulus)?;
        let rest = self.fresh_arithmetic(LLVMOpcode::LLVMSub, bits, last, s)?;
        let (near, far) = if left { (a, b) } else { (b, a) };
        let (to, fro) = if left {
            (LLVMOpcode::LLVMShl, LLVMOpcode::LLVMLShr)
        } else {
            (LLVMOpcode::LLVMLShr, LLVMOpcode::LLVMShl)
        };
        let near = self.fresh_arithmetic(to, bits, near, s)?;
        let far = self.fresh_arithmetic(fro, bits, far, one)?;
        let far = self.fresh_arithmetic(fro, bits, far, rest)?;
        self.arithmetic(LLVMOpcode::LLVMOr, bits, 0, dst, near, far)
    }

    /// -1, 0 or 1.
    fn three_way(&mut self, inst: Value, greater: IntPredicate, less: IntPredicate) -> Res<()> {
        let bits = self.bits(inst.operand(0))?;
        let width = self.bits(inst)?;
        if width > 64 {
            return Err(Refusal(format!("the intrinsic {}", inst.text())));
        }
        let (a, b) = (self.elements(inst.operand(0))?, self.elements(inst.operand(1))?);
        let dst = self.define(inst)?;
        for ((dst, a), b) in dst.into_iter().zip(a).zip(b) {
            let more = self.fresh_compare(greater, bits, a, b);
            let fewer = self.fresh_compare(less, bits, a, b);
            self.arithmetic(LLVMOpcode::LLVMSub, width, 0, dst, more, fewer)?;
        }
        Ok(())
    }
}

fn bit_op(name: &str) -> Option<BitOp> {
    Some(match name {
        "ctpop" => BitOp::PopCount,
        "ctlz" => BitOp::LeadingZeros,
        "cttz" => BitOp::TrailingZeros,
        "bswap" => BitOp::ByteSwap,
        "bitreverse" => BitOp::BitReverse,
        _ => return None,
    })
}

fn int_op(name: &str) -> Option<IntOp> {
    Some(match name {
        "smin" => IntOp::SMin,
        "smax" => IntOp::SMax,
        "umin" => IntOp::UMin,
        "umax" => IntOp::UMax,
        "sadd.sat" => IntOp::SAddSat,
        "uadd.sat" => IntOp::UAddSat,
        "ssub.sat" => IntOp::SSubSat,
        "usub.sat" => IntOp::USubSat,
        "sshl.sat" => IntOp::SShlSat,
        "ushl.sat" => IntOp::UShlSat,
        _ => return None,
    })
}

fn overflow_op(name: &str) -> Option<OverflowOp> {
    Some(match name {
        "sadd" => OverflowOp::SAdd,
        "uadd" => OverflowOp::UAdd,
        "ssub" => OverflowOp::SSub,
        "usub" => OverflowOp::USub,
        "smul" => OverflowOp::SMul,
        "umul" => OverflowOp::UMul,
        _ => return None,
    })
}
