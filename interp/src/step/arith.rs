//! Computing on registers, the rare and the faulty cases included.
use super::Halt;
use super::slow::undefined;
use crate::machine::Machine;
use crate::value::{self, DivisionError};
use crate::verdict::fault::Kind;
use frontend::ir::{Bin, Inst, Operand, OverflowOp, Slot, WideOp, flags, slots_of_bits};

impl Machine {
    /// Executes an instruction that only computes on registers; false if it is none. Shadows are settled, but for
    /// those that depend on values.
    pub(super) fn compute(&mut self, inst: Inst) -> Result<bool, Halt> {
        match inst {
            Inst::Add(b) => self.checked(b, OverflowOp::SAdd)?,
            Inst::Sub(b) => self.checked(b, OverflowOp::SSub)?,
            Inst::Mul(b) => self.checked(b, OverflowOp::SMul)?,
            Inst::And(b) => self.binary(b, WideOp::And)?,
            Inst::Or(b) => self.binary(b, WideOp::Or)?,
            Inst::Xor(b) => self.binary(b, WideOp::Xor)?,
            Inst::Shl(b) => self.shift(b, WideOp::Shl)?,
            Inst::LShr(b) => self.shift(b, WideOp::LShr)?,
            Inst::AShr(b) => self.shift(b, WideOp::AShr)?,
            Inst::UDiv(b) => self.binary(b, WideOp::UDiv)?,
            Inst::SDiv(b) => self.binary(b, WideOp::SDiv)?,
            Inst::URem(b) => self.binary(b, WideOp::URem)?,
            Inst::SRem(b) => self.binary(b, WideOp::SRem)?,
            Inst::Wide { op, width, flags, dst, a, b } => {
                self.check_wide(op, width, flags, self.get_wide(a), self.get_wide(b))?;
                let result = value::wide(op, width, self.get_wide(a), self.get_wide(b));
                self.set_bits(dst, width, result.map_err(|error| self.wrong(b, division(error)))?);
            }
            Inst::Int { op, width, dst, a, b } => {
                let result = value::int_op(op, width, self.get(a), self.get(b));
                self.set_or_object(dst, 64, result.map(u128::from), "a shift by too many bits")?;
            }
            Inst::Bits { op, width, dst, a } => {
                let result = value::bits_wide(op, width, self.get_bits(a, width));
                self.set_bits(dst, width, result);
            }
            Inst::FunnelShift { left, width, dst, a, b, c } => {
                let result = value::funnel_shift(left, width, self.get(a), self.get(b), self.get(c));
                self.set(dst, result);
            }
            Inst::Overflow { op, width, dst, a, b } => {
                let (a, b) = (self.get_bits(a, width), self.get_bits(b, width));
                let (result, over) = value::overflow_wide(op, width, a, b);
                self.set_bits(dst, width, result);
                let flag = Slot(dst.0 + slots_of_bits(u32::from(width)));
                self.set(flag, u64::from(over));
            }
            Inst::ICmp { predicate, width, dst, a, b } => {
                let result = value::compare(predicate, width, self.get(a), self.get(b));
                self.set(dst, u64::from(result));
            }
            Inst::WideICmp { predicate, width, dst, a, b } => {
                let result = value::compare_wide(predicate, width, self.get_wide(a), self.get_wide(b));
                self.set(dst, u64::from(result));
            }
            Inst::Trunc { width, dst, a } => self.set(dst, value::truncate(width, self.get(a))),
            Inst::Sext { from, to, dst, a } => {
                let extended = value::sign_extend(from, self.get(a)) as u64;
                self.set(dst, value::truncate(to, extended));
            }
            Inst::Copy { dst, a } => self.set(dst, self.get(a)),
            Inst::CopyN { n, dst, a } => {
                for i in 0..n {
                    self.set(Slot(dst.0 + i), self.get(a.offset(i)));
                }
            }
            Inst::Select { dst, c, a, b } => {
                let chosen = if self.get(c) & 1 != 0 { a } else { b };
                self.set(dst, self.get(chosen));
            }
            Inst::Undef { dst } => {
                self.set(dst, 0);
                self.mark_undefined(dst, u64::MAX);
            }
            Inst::Freeze { dst, a } => {
                if self.shadow(a) != 0 {
                    let reason = "an undefined value is frozen: it may be any, and one would be explored";
                    return Err(Halt::unknown(format!("{reason}{}", self.at())));
                }
                self.set(dst, self.get(a));
                self.mark_undefined(dst, 0);
            }
            Inst::Poison { dst, a, c } => {
                let is_poison = self.get(c) & 1 != 0;
                self.set(dst, if is_poison { 0 } else { self.get(a) });
                if is_poison {
                    self.mark_undefined(dst, u64::MAX);
                }
            }
            Inst::ExtractDynamic { n, stride, dst, vector, index } => {
                let (index, stride) = (self.get(index), u32::from(stride));
                for i in 0..stride {
                    let target = Slot(dst.0 + i);
                    if index < u64::from(n) {
                        let element = vector.offset(index as u32 * stride + i);
                        let shadow = self.shadow(element);
                        self.set(target, self.get(element));
                        self.mark_undefined(target, shadow);
                    } else {
                        self.set(target, 0);
                        self.mark_undefined(target, u64::MAX);
                    }
                }
            }
            Inst::InsertDynamic { n, stride, dst, index, value } => {
                let (index, stride) = (self.get(index), u32::from(stride));
                if index >= u64::from(n) {
                    return Err(Halt::fault(Kind::Memory, "a vector is written outside of its elements"));
                }
                for i in 0..stride {
                    let target = Slot(dst.0 + index as u32 * stride + i);
                    let shadow = self.shadow(value.offset(i));
                    self.set(target, self.get(value.offset(i)));
                    self.mark_undefined(target, shadow);
                }
            }
            Inst::Address { dst, base, index, scale, offset } => {
                let address = self.indexed(base, index, scale, offset);
                self.set(dst, address);
            }
            Inst::AddressOffset { dst, base, offset } => {
                let address = self.offset(base, offset);
                self.set(dst, address);
            }
            Inst::UseAddress { what, a, b } => {
                let (a, b) = (self.get(a), self.get(b));
                self.state.memory.use_address(what, a, b);
            }
            Inst::Nop => {}
            _ => return self.compute_float(inst),
        }
        Ok(true)
    }

    fn compute_float(&mut self, inst: Inst) -> Result<bool, Halt> {
        let imprecise = "a floating-point operation that has no exact model";
        match inst {
            Inst::Float { op, format, dst, a, b } => {
                let bits = width(format);
                let result = value::float(op, format, self.get_bits(a, bits), self.get_bits(b, bits));
                let result = result.ok_or_else(|| Halt::unknown(format!("{imprecise}{}", self.at())))?;
                self.set_bits(dst, bits, result);
            }
            Inst::FloatUnary { op, format, dst, a } => {
                let bits = width(format);
                let result = value::float_unary(op, format, self.get_bits(a, bits));
                let result = result.ok_or_else(|| Halt::unknown(format!("{imprecise}{}", self.at())))?;
                self.set_bits(dst, bits, result);
            }
            Inst::FusedMulAdd { format, dst, a, b, c } => {
                let bits = width(format);
                let of = |operand| self.get_bits(operand, bits);
                let result = value::fused_multiply_add(format, of(a), of(b), of(c));
                self.set_bits(dst, bits, result);
            }
            Inst::FCmp { predicate, format, dst, a, b } => {
                let bits = width(format);
                let (a, b) = (self.get_bits(a, bits), self.get_bits(b, bits));
                self.set(dst, u64::from(value::compare_float(predicate, format, a, b)));
            }
            Inst::Cast { kind, from, to, dst, a } => {
                let result = value::cast(kind, from, to, self.get_bits(a, from));
                self.set_or_object(dst, to, result, "a floating-point number does not fit into the integer")?;
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// An operation that the fast loop left to us: a fault if it was because of overflow.
    fn checked(&mut self, bin: Bin, op: OverflowOp) -> Result<(), Halt> {
        let (a, b) = (self.get(bin.a), self.get(bin.b));
        let (result, over) = value::overflow(op, bin.width, a, b);
        if over && bin.flags & self.program.checked_flags & flags::NSW != 0 {
            let sign = match op {
                OverflowOp::SAdd => '+',
                OverflowOp::SSub => '-',
                _ => '*',
            };
            let (x, y) = (value::sign_extend(bin.width, a), value::sign_extend(bin.width, b));
            let message = format!("signed overflow: {x} {sign} {y} does not fit into {} bits", bin.width);
            return Err(Halt::fault(Kind::Overflow, message));
        }
        self.set(bin.dst, result);
        Ok(())
    }

    /// A fault if the result of this operation on wide integers does not fit, or a shift is by too many bits.
    fn check_wide(&self, op: WideOp, width: u8, set: u8, a: u128, b: u128) -> Result<(), Halt> {
        let over = |op| set & self.program.checked_flags & flags::NSW != 0 && value::overflow_wide(op, width, a, b).1;
        let wrong = match op {
            WideOp::Add => over(OverflowOp::SAdd),
            WideOp::Sub => over(OverflowOp::SSub),
            WideOp::Mul => over(OverflowOp::SMul),
            WideOp::Shl | WideOp::LShr | WideOp::AShr => {
                b >= u128::from(width) && self.program.options.checks.contains(Kind::Overflow)
            }
            _ => false,
        };
        match wrong {
            true => Err(Halt::fault(Kind::Overflow, format!("{op:?} of integers of {width} bits overflows"))),
            false => Ok(()),
        }
    }

    fn shift(&mut self, bin: Bin, op: WideOp) -> Result<(), Halt> {
        let count = self.get(bin.b);
        // Also if it was not asked for: nothing can be said of the result.
        if count >= u64::from(bin.width) {
            let message = format!("a value of {} bits is shifted by {count}", bin.width);
            return Err(self.wrong(bin.b, Halt::fault(Kind::Overflow, message)));
        }
        self.binary(bin, op)
    }

    /// What is wrong with an operation because of an operand: that it was never written, if it was not.
    fn wrong(&self, operand: Operand, otherwise: Halt) -> Halt {
        if self.shadow(operand) == 0 { otherwise } else { undefined("an operation that may fail") }
    }

    fn binary(&mut self, bin: Bin, op: WideOp) -> Result<(), Halt> {
        let (a, b) = (u128::from(self.get(bin.a)), u128::from(self.get(bin.b)));
        let result = value::wide(op, bin.width, a, b).map_err(|error| self.wrong(bin.b, division(error)))?;
        self.set(bin.dst, result as u64);
        Ok(())
    }

    /// A result that may be undefined: a violation if such are looked for, else just that.
    fn set_or_object(&mut self, dst: Slot, bits: u8, result: Option<u128>, message: &str) -> Result<(), Halt> {
        if let Some(value) = result {
            self.set_bits(dst, bits, value);
            return Ok(());
        }
        if self.program.options.checks.contains(Kind::Overflow) {
            return Err(Halt::fault(Kind::Overflow, message));
        }
        self.set_bits(dst, bits, 0);
        for i in 0..slots_of_bits(u32::from(bits)) {
            self.mark_undefined(Slot(dst.0 + i), u64::MAX);
        }
        Ok(())
    }
}

/// Operands of floating-point instructions come in one slot, or two for x87.
fn width(format: frontend::ir::Float) -> u8 {
    if format.slots() > 1 { 80 } else { 64 }
}

fn division(error: DivisionError) -> Halt {
    Halt::fault(
        Kind::Overflow,
        match error {
            DivisionError::Zero => "division by zero",
            DivisionError::Overflow => "the quotient of the smallest number and -1 does not fit",
        },
    )
}
