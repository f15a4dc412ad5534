//! Intrinsics on floating-point numbers, element by element for vectors.
use crate::ir::{CastKind, Float, FloatOp, FloatPredicate, FloatUnary, Inst, IntPredicate, Operand};
use crate::lower::function::{Body, Leaf};
use crate::lower::llvm::{LLVMOpcode, Value};
use crate::lower::{Refusal, Res};

impl Body<'_> {
    /// Lowers the intrinsic if it computes with floating-point numbers.
    pub(super) fn float_intrinsic(&mut self, inst: Value, name: &str) -> Option<Res<()>> {
        // The constrained forms say how to round and trap in further operands; we round to nearest and do not trap.
        let name = name.strip_prefix("experimental.constrained.").unwrap_or(name);
        if let Some(op) = unary(name) {
            return Some(self.float_unary(inst, op, inst.operand(0)));
        }
        if let Some(op) = binary(name) {
            return Some(self.float_operation(inst, op, inst.operand(0), inst.operand(1)));
        }
        if let Some(kind) = conversion(name) {
            return Some(self.cast(inst, kind, inst.operand(0)));
        }
        match name {
            "fma" => Some(self.fused(inst)),
            "fmuladd" => Some(self.unfused(inst)),
            "powi" => Some(self.power_of_integer(inst)),
            "lround" | "llround" => Some(self.rounded(inst, FloatUnary::Round)),
            "lrint" | "llrint" => Some(self.rounded(inst, FloatUnary::Rint)),
            "is.fpclass" => Some(self.classify(inst)),
            "get.rounding" => {
                let nearest = self.number(1);
                self.alias(inst, [Leaf::At(nearest)].into());
                Some(Ok(()))
            }
            "fcmp" | "fcmps" => Some(self.constrained_compare(inst)),
            _ => None,
        }
    }

    fn fused(&mut self, inst: Value) -> Res<()> {
        let format = self.format(inst)?;
        let a = self.elements(inst.operand(0))?;
        let b = self.elements(inst.operand(1))?;
        let c = self.elements(inst.operand(2))?;
        let dst = self.define(inst)?;
        for (((dst, a), b), c) in dst.into_iter().zip(a).zip(b).zip(c) {
            self.emit(Inst::FusedMulAdd { format, dst, a, b, c });
        }
        Ok(())
    }

    /// A product and sum that may be fused or not: not, as on machines of the base architecture.
    fn unfused(&mut self, inst: Value) -> Res<()> {
        let format = self.format(inst)?;
        let a = self.elements(inst.operand(0))?;
        let b = self.elements(inst.operand(1))?;
        let c = self.elements(inst.operand(2))?;
        let dst = self.define(inst)?;
        for (((dst, a), b), c) in dst.into_iter().zip(a).zip(b).zip(c) {
            let product = self.unit(format.slots());
            self.emit(Inst::Float { op: FloatOp::Mul, format, dst: product, a, b });
            self.emit(Inst::Float { op: FloatOp::Add, format, dst, a: Operand::slot(product), b: c });
        }
        Ok(())
    }

    fn power_of_integer(&mut self, inst: Value) -> Res<()> {
        let format = self.format(inst)?;
        let to = self.bits(inst)? as u8;
        let from = self.bits(inst.operand(1))? as u8;
        let exponent = self.operand(inst.operand(1))?;
        let b = self.unit(format.slots());
        self.emit(Inst::Cast { kind: CastKind::SignedToFloat, from, to, dst: b, a: exponent });
        let a = self.elements(inst.operand(0))?;
        let dst = self.define(inst)?;
        for (dst, a) in dst.into_iter().zip(a) {
            self.emit(Inst::Float { op: FloatOp::Pow, format, dst, a, b: Operand::slot(b) });
        }
        Ok(())
    }

    /// Rounded to an integral value, then converted.
    fn rounded(&mut self, inst: Value, op: FloatUnary) -> Res<()> {
        let format = self.format(inst.operand(0))?;
        let (from, to) = (self.bits(inst.operand(0))? as u8, self.bits(inst)? as u8);
        let a = self.elements(inst.operand(0))?;
        let dst = self.define(inst)?;
        for (dst, a) in dst.into_iter().zip(a) {
            let whole = self.unit(format.slots());
            self.emit(Inst::FloatUnary { op, format, dst: whole, a });
            self.emit(Inst::Cast { kind: CastKind::FloatToSigned, from, to, dst, a: Operand::slot(whole) });
        }
        Ok(())
    }

    /// The predicate of a constrained comparison is a text in its metadata, which stands in the printed form.
    fn constrained_compare(&mut self, inst: Value) -> Res<()> {
        let text = inst.text();
        let names = [
            ("\"oeq\"", FloatPredicate::Oeq),
            ("\"ogt\"", FloatPredicate::Ogt),
            ("\"oge\"", FloatPredicate::Oge),
            ("\"olt\"", FloatPredicate::Olt),
            ("\"ole\"", FloatPredicate::Ole),
            ("\"one\"", FloatPredicate::One),
            ("\"ord\"", FloatPredicate::Ord),
            ("\"uno\"", FloatPredicate::Uno),
            ("\"ueq\"", FloatPredicate::Ueq),
            ("\"ugt\"", FloatPredicate::Ugt),
            ("\"uge\"", FloatPredicate::Uge),
            ("\"ult\"", FloatPredicate::Ult),
            ("\"ule\"", FloatPredicate::Ule),
            ("\"une\"", FloatPredicate::Une),
        ];
        let found = names.iter().find(|(name, _)| text.contains(name));
        let (_, predicate) = found.ok_or_else(|| Refusal(format!("the intrinsic {text}")))?;
        self.float_compare(inst, *predicate, inst.operand(0), inst.operand(1))
    }

    /// is.fpclass, from the bits of the number.
    fn classify(&mut self, inst: Value) -> Res<()> {
        let format = self.format(inst.operand(0))?;
        let mask = inst.operand(1).as_u64().unwrap_or_default();
        let numbers = self.elements(inst.operand(0))?;
        let mut results = Vec::with_capacity(numbers.len());
        for number in numbers {
            results.push(Leaf::At(self.is_in_class(number, format, mask)?));
        }
        self.alias(inst, results.into());
        Ok(())
    }

    /// (A `long double` whose leading bit does not go with its exponent is no number: the processor makes none.)
    fn is_in_class(&mut self, number: Operand, format: Float, mask: u64) -> Res<Operand> {
        // How many bits there are and how many behind the exponent, and the one of these that leads, if it is stored.
        let (bits, fraction, leading) = match format {
            Float::F32 => (32, 23, 0),
            Float::F64 => (64, 52, 0),
            Float::F80 => (80, 64, 1 << 63),
        };
        let sign_bit = 1u128 << (bits - 1);
        let infinity = (sign_bit - 1) >> fraction << fraction | leading;
        let zero = self.wide_number(0, bits);
        let negative = self.fresh_compare(IntPredicate::Slt, bits, number, zero);
        let one = self.number(1);
        let positive = self.fresh_arithmetic(LLVMOpcode::LLVMXor, 1, negative, one)?;
        let magnitude_mask = self.wide_number(sign_bit - 1, bits);
        let magnitude = self.fresh_arithmetic(LLVMOpcode::LLVMAnd, bits, number, magnitude_mask)?;
        // Classes as ranges of the magnitude, with the bits of the mask for negative and positive numbers.
        let quiet = infinity | if leading == 0 { 1 << (fraction - 1) } else { leading >> 1 };
        let normal = 1 << fraction | leading;
        let classes = [
            (infinity + 1, quiet - 1, 0x1, 0x1),
            (quiet, sign_bit - 1, 0x2, 0x2),
            (infinity, infinity, 0x4, 0x200),
            (normal, infinity - 1, 0x8, 0x100),
            (1, normal - 1, 0x10, 0x80),
            (0, 0, 0x20, 0x40),
        ];
        let mut result = self.number(0);
        for (low, high, below, above) in classes {
            let wanted = match (mask & below != 0, mask & above != 0) {
                (false, false) => continue,
                (true, true) => None,
                (true, false) => Some(negative),
                (false, true) => Some(positive),
            };
            // low ≤ magnitude ≤ high in one comparison.
            let low_operand = self.wide_number(low, bits);
            let distance = self.fresh_arithmetic(LLVMOpcode::LLVMSub, bits, magnitude, low_operand)?;
            let span = self.wide_number(high - low, bits);
            let mut inside = self.fresh_compare(IntPredicate::Ule, bits, distance, span);
            if let Some(sign) = wanted {
                inside = self.fresh_arithmetic(LLVMOpcode::LLVMAnd, 1, inside, sign)?;
            }
            result = self.fresh_arithmetic(LLVMOpcode::LLVMOr, 1, result, inside)?;
        }
        Ok(result)
    }
}

fn unary(name: &str) -> Option<FloatUnary> {
    Some(match name {
        "fabs" => FloatUnary::Abs,
        "sqrt" => FloatUnary::Sqrt,
        "floor" => FloatUnary::Floor,
        "ceil" => FloatUnary::Ceil,
        "trunc" => FloatUnary::Trunc,
        "round" => FloatUnary::Round,
        "roundeven" => FloatUnary::RoundEven,
        "rint" => FloatUnary::Rint,
        "nearbyint" => FloatUnary::NearbyInt,
        "sin" => FloatUnary::Sin,
        "cos" => FloatUnary::Cos,
        "exp" => FloatUnary::Exp,
        "exp2" => FloatUnary::Exp2,
        "log" => FloatUnary::Log,
        "log2" => FloatUnary::Log2,
        "log10" => FloatUnary::Log10,
        "canonicalize" => FloatUnary::Canonicalize,
        _ => return None,
    })
}

fn binary(name: &str) -> Option<FloatOp> {
    Some(match name {
        "fadd" => FloatOp::Add,
        "fsub" => FloatOp::Sub,
        "fmul" => FloatOp::Mul,
        "fdiv" => FloatOp::Div,
        "frem" => FloatOp::Rem,
        "minnum" => FloatOp::MinNum,
        "maxnum" => FloatOp::MaxNum,
        "minimum" => FloatOp::Minimum,
        "maximum" => FloatOp::Maximum,
        "copysign" => FloatOp::CopySign,
        "pow" => FloatOp::Pow,
        _ => return None,
    })
}

fn conversion(name: &str) -> Option<CastKind> {
    Some(match name {
        "fptosi" => CastKind::FloatToSigned,
        "fptoui" => CastKind::FloatToUnsigned,
        "sitofp" => CastKind::SignedToFloat,
        "uitofp" => CastKind::UnsignedToFloat,
        "fpext" | "fptrunc" => CastKind::FloatToFloat,
        "fptosi.sat" => CastKind::FloatToSignedSat,
        "fptoui.sat" => CastKind::FloatToUnsignedSat,
        _ => return None,
    })
}
