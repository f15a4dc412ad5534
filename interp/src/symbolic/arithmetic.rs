//! Arithmetic on terms.
use super::decide::Settled;
use crate::machine::Machine;
use crate::step::{Flow, Halt};
use crate::term::{Op, Term};
use crate::verdict::fault::Kind;
use frontend::ir::{Bin, BitOp, Inst, IntOp, IntPredicate, Operand, OverflowOp, Slot, WideOp, flags, slots_of_bits};

/// How it goes on behind what was asked of an instruction on terms.
pub(super) enum Done {
    /// It is done.
    Yes,
    /// The thread has to decide first.
    Before(Flow),
    /// It is not done on terms.
    No,
}

impl Machine {
    /// Computes on terms.
    pub(super) fn compute_terms(&mut self, inst: Inst) -> Result<Done, Halt> {
        match inst {
            Inst::Add(b) => self.checked_term(b, OverflowOp::SAdd, WideOp::Add),
            Inst::Sub(b) => self.checked_term(b, OverflowOp::SSub, WideOp::Sub),
            Inst::Mul(b) => self.checked_term(b, OverflowOp::SMul, WideOp::Mul),
            Inst::And(b) => self.binary_term(WideOp::And, b.width, b.dst, b.a, b.b),
            Inst::Or(b) => self.binary_term(WideOp::Or, b.width, b.dst, b.a, b.b),
            Inst::Xor(b) => self.binary_term(WideOp::Xor, b.width, b.dst, b.a, b.b),
            Inst::Shl(b) => self.binary_term(WideOp::Shl, b.width, b.dst, b.a, b.b),
            Inst::LShr(b) => self.binary_term(WideOp::LShr, b.width, b.dst, b.a, b.b),
            Inst::AShr(b) => self.binary_term(WideOp::AShr, b.width, b.dst, b.a, b.b),
            Inst::UDiv(b) => self.binary_term(WideOp::UDiv, b.width, b.dst, b.a, b.b),
            Inst::SDiv(b) => self.binary_term(WideOp::SDiv, b.width, b.dst, b.a, b.b),
            Inst::URem(b) => self.binary_term(WideOp::URem, b.width, b.dst, b.a, b.b),
            Inst::SRem(b) => self.binary_term(WideOp::SRem, b.width, b.dst, b.a, b.b),
            Inst::Wide { op, width, flags: set, dst, a, b } => {
                let checked = match op {
                    WideOp::Add => Some(OverflowOp::SAdd),
                    WideOp::Sub => Some(OverflowOp::SSub),
                    WideOp::Mul => Some(OverflowOp::SMul),
                    _ => None,
                };
                if let Some(checked) = checked
                    && set & self.program.checked_flags & flags::NSW != 0
                {
                    let (x, y) = (self.term(a, width)?, self.term(b, width)?);
                    let over = self.overflows(checked, x, y);
                    if let Some(flow) = self.must_not(over, "signed overflow")? {
                        return Ok(Done::Before(flow));
                    }
                }
                self.binary_term(op, width, dst, a, b)
            }
            Inst::ICmp { predicate, width, dst, a, b } | Inst::WideICmp { predicate, width, dst, a, b } => {
                let (a, b) = (self.term(a, width)?, self.term(b, width)?);
                let result = self.compare_terms(predicate, a, b);
                self.put(dst, result);
                Ok(Done::Yes)
            }
            Inst::Int { op, width, dst, a, b } => self.saturating(op, width, dst, a, b),
            Inst::Bits { op, width, dst, a } => {
                let a = self.term(a, width)?;
                let result = match op {
                    BitOp::Abs => {
                        let zero = self.terms().constant(0, width);
                        let (negative, minus) =
                            (self.operation_on(Op::Slt, a, zero), self.operation_on(Op::Sub, zero, a));
                        self.terms().ite(negative, minus, a)
                    }
                    BitOp::ByteSwap => {
                        let bytes = (0..width / 8).map(|i| self.terms().extract(a, 8 * i, 8)).collect::<Vec<_>>();
                        let all = bytes.into_iter().reduce(|high, low| self.terms().concat(high, low));
                        all.expect("there are bytes")
                    }
                    BitOp::BitReverse => {
                        let bits = (0..width).map(|i| self.terms().extract(a, i, 1)).collect::<Vec<_>>();
                        let all = bits.into_iter().reduce(|high, low| self.terms().concat(high, low));
                        all.expect("there are bits")
                    }
                    BitOp::PopCount => {
                        let mut sum = self.terms().constant(0, width);
                        for i in 0..width {
                            let bit = self.terms().extract(a, i, 1);
                            let bit = self.terms().zext(bit, width);
                            sum = self.operation_on(Op::Add, sum, bit);
                        }
                        sum
                    }
                    BitOp::LeadingZeros => self.first_one(a, width, (0..width).map(|i| (i, width - 1 - i))),
                    BitOp::TrailingZeros => self.first_one(a, width, (0..width).rev().map(|i| (i, i))),
                };
                self.put(dst, result);
                Ok(Done::Yes)
            }
            Inst::Overflow { op, width, dst, a, b } => {
                let (a, b) = (self.term(a, width)?, self.term(b, width)?);
                let result = self.operation_on(operation(op), a, b);
                let over = self.overflows(op, a, b);
                self.put(dst, result);
                self.put(Slot(dst.0 + slots_of_bits(u32::from(width))), over);
                Ok(Done::Yes)
            }
            Inst::Trunc { width, dst, a } => {
                let a = self.moved_term(a, width)?;
                self.put(dst, a);
                Ok(Done::Yes)
            }
            Inst::Sext { from, to, dst, a } => {
                let a = self.term(a, from)?;
                let result = self.terms().sext(a, to);
                self.put(dst, result);
                Ok(Done::Yes)
            }
            Inst::Cast { kind, from, to, dst, a } => self.cast_term(kind, (from, to), dst, a),
            _ => Ok(Done::No),
        }
    }

    fn cast_term(
        &mut self,
        kind: frontend::ir::CastKind,
        (from, to): (u8, u8),
        dst: Slot,
        a: Operand,
    ) -> Result<Done, Halt> {
        use frontend::ir::CastKind;
        let result = match kind {
            CastKind::WideZext => {
                let a = self.moved_term(a, from)?;
                self.terms().zext(a, to)
            }
            CastKind::WideSext => {
                let a = self.term(a, from)?;
                self.terms().sext(a, to)
            }
            CastKind::WideTrunc => {
                let a = self.moved_term(a, from)?;
                self.terms().extract(a, 0, to)
            }
            _ => return Ok(Done::No),
        };
        self.put(dst, result);
        Ok(Done::Yes)
    }

    /// A comparison as a single bit.
    pub(super) fn compare_terms(&mut self, predicate: IntPredicate, a: Term, b: Term) -> Term {
        let (op, swap, not) = match predicate {
            IntPredicate::Eq => (Op::Eq, false, false),
            IntPredicate::Ne => (Op::Eq, false, true),
            IntPredicate::Ult => (Op::Ult, false, false),
            IntPredicate::Ugt => (Op::Ult, true, false),
            IntPredicate::Uge => (Op::Ult, false, true),
            IntPredicate::Ule => (Op::Ult, true, true),
            IntPredicate::Slt => (Op::Slt, false, false),
            IntPredicate::Sgt => (Op::Slt, true, false),
            IntPredicate::Sge => (Op::Slt, false, true),
            IntPredicate::Sle => (Op::Slt, true, true),
        };
        let (a, b) = if swap { (b, a) } else { (a, b) };
        let result = self.operation_on(op, a, b);
        if not { self.terms().not(result) } else { result }
    }

    fn checked_term(&mut self, b: Bin, op: OverflowOp, wide: WideOp) -> Result<Done, Halt> {
        if b.flags & self.program.checked_flags & flags::NSW != 0 {
            let (x, y) = (self.term(b.a, b.width)?, self.term(b.b, b.width)?);
            let over = self.overflows(op, x, y);
            if let Some(flow) = self.must_not(over, "signed overflow")? {
                return Ok(Done::Before(flow));
            }
        }
        self.binary_term(wide, b.width, b.dst, b.a, b.b)
    }

    /// Faults where the bit is 1; a decision that comes before that.
    fn must_not(&mut self, wrong: Term, message: &str) -> Result<Option<Flow>, Halt> {
        match self.truth(wrong)? {
            Settled::Is(false) => Ok(None),
            Settled::Is(true) => Err(Halt::fault(Kind::Overflow, message)),
            Settled::Not(flow) => Ok(Some(flow)),
        }
    }

    fn binary_term(&mut self, op: WideOp, width: u8, dst: Slot, a: Operand, b: Operand) -> Result<Done, Halt> {
        let (x, y) = match op {
            WideOp::And | WideOp::Or => (self.moved_term(a, width)?, self.moved_term(b, width)?),
            WideOp::Shl | WideOp::LShr => (self.moved_term(a, width)?, self.term(b, width)?),
            _ => (self.term(a, width)?, self.term(b, width)?),
        };
        let zero = self.terms().constant(0, width);
        let (wrong, message) = match op {
            WideOp::Shl | WideOp::LShr | WideOp::AShr => {
                let bits = self.terms().constant(width.into(), width);
                // (A width that does not fit into so few bits: no count is too large.)
                let fits = u32::from(width) < 1 << width.min(8);
                let inside = if fits { self.operation_on(Op::Ult, y, bits) } else { self.terms().truth(true) };
                (self.terms().not(inside), "a shift by too many bits")
            }
            WideOp::UDiv | WideOp::URem | WideOp::SDiv | WideOp::SRem => {
                (self.operation_on(Op::Eq, y, zero), "division by zero")
            }
            _ => (self.terms().truth(false), ""),
        };
        if let Some(flow) = self.must_not(wrong, message)? {
            return Ok(Done::Before(flow));
        }
        if matches!(op, WideOp::SDiv | WideOp::SRem) {
            let (smallest, minus) = (1 << (width - 1), u128::MAX);
            let (smallest, minus) = (self.terms().constant(smallest, width), self.terms().constant(minus, width));
            let (p, q) = (self.operation_on(Op::Eq, x, smallest), self.operation_on(Op::Eq, y, minus));
            let wrong = self.operation_on(Op::And, p, q);
            if let Some(flow) = self.must_not(wrong, "the quotient of the smallest number and -1 does not fit")? {
                return Ok(Done::Before(flow));
            }
        }
        let op = match op {
            WideOp::Add => Op::Add,
            WideOp::Sub => Op::Sub,
            WideOp::Mul => Op::Mul,
            WideOp::UDiv => Op::UDiv,
            WideOp::SDiv => Op::SDiv,
            WideOp::URem => Op::URem,
            WideOp::SRem => Op::SRem,
            WideOp::And => Op::And,
            WideOp::Or => Op::Or,
            WideOp::Xor => Op::Xor,
            WideOp::Shl => Op::Shl,
            WideOp::LShr => Op::LShr,
            WideOp::AShr => Op::AShr,
        };
        let result = self.operation_on(op, x, y);
        self.put(dst, result);
        Ok(Done::Yes)
    }

    /// What goes with the last of these bits that is 1; the width, if none is.
    fn first_one(&mut self, a: Term, width: u8, bits: impl Iterator<Item = (u8, u8)>) -> Term {
        let mut result = self.terms().constant(width.into(), width);
        for (bit, value) in bits {
            let (bit, value) = (self.terms().extract(a, bit, 1), self.terms().constant(value.into(), width));
            result = self.terms().ite(bit, value, result);
        }
        result
    }

    fn saturating(&mut self, op: IntOp, width: u8, dst: Slot, a: Operand, b: Operand) -> Result<Done, Halt> {
        let (a, b) = (self.term(a, width)?, self.term(b, width)?);
        let result = match op {
            IntOp::SMin | IntOp::SMax | IntOp::UMin | IntOp::UMax => {
                let less = if matches!(op, IntOp::SMin | IntOp::SMax) { Op::Slt } else { Op::Ult };
                let first_is_less = self.operation_on(less, a, b);
                let (a, b) = if matches!(op, IntOp::SMin | IntOp::UMin) { (a, b) } else { (b, a) };
                self.terms().ite(first_is_less, a, b)
            }
            IntOp::UAddSat => self.saturated(OverflowOp::UAdd, a, b),
            IntOp::USubSat => self.saturated(OverflowOp::USub, a, b),
            IntOp::SAddSat => self.saturated(OverflowOp::SAdd, a, b),
            IntOp::SSubSat => self.saturated(OverflowOp::SSub, a, b),
            IntOp::SShlSat | IntOp::UShlSat => return Ok(Done::No),
        };
        self.put(dst, result);
        Ok(Done::Yes)
    }

    /// The result of an operation, or the nearest number that there is.
    fn saturated(&mut self, op: OverflowOp, a: Term, b: Term) -> Term {
        let width = self.terms().width(a);
        let over = self.overflows(op, a, b);
        let result = self.operation_on(operation(op), a, b);
        let top = 1 << (width - 1);
        let limit = match op {
            OverflowOp::UAdd => self.terms().constant(u128::MAX, width),
            OverflowOp::USub => self.terms().constant(0, width),
            // (The first operand says in which direction it goes.)
            _ => {
                let zero = self.terms().constant(0, width);
                let negative = self.operation_on(Op::Slt, a, zero);
                let (least, most) = (self.terms().constant(top, width), self.terms().constant(top - 1, width));
                self.terms().ite(negative, least, most)
            }
        };
        self.terms().ite(over, limit, result)
    }
}

fn operation(op: OverflowOp) -> Op {
    match op {
        OverflowOp::SAdd | OverflowOp::UAdd => Op::Add,
        OverflowOp::SSub | OverflowOp::USub => Op::Sub,
        OverflowOp::SMul | OverflowOp::UMul => Op::Mul,
    }
}
