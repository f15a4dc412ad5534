//! From instructions to operations.
use super::{Op, Paths, Place, Widen, fuse};
use frontend::ir::{Bin, Float, FloatOp, Function, Inst, IntPredicate, Operand, Slot, flags};

/// The operations of a function; `constants` is the constant pool, `checked` the flags of arithmetic that are checked.
pub(crate) fn prepare(function: &Function, constants: &[u64], checked: u8) -> Box<[Op]> {
    let translate = Translate { constants, checked };
    let single: Vec<Op> = function.code.iter().map(|inst| translate.op(*inst)).collect();
    (0..single.len()).map(|at| fuse::fuse(&single, at)).collect()
}

struct Translate<'a> {
    constants: &'a [u64],
    checked: u8,
}

impl Translate<'_> {
    fn op(&self, inst: Inst) -> Op {
        self.special(inst).unwrap_or(Op::Plain)
    }

    fn special(&self, inst: Inst) -> Option<Op> {
        Some(match inst {
            Inst::Add(bin) => return self.add(bin),
            Inst::Sub(bin) => {
                let (nsw, dst, a, b) = self.slots(bin)?;
                match bin.width {
                    32 => Op::Sub32 { nsw, dst, a, b },
                    64 => Op::Sub64 { nsw, dst, a, b },
                    _ => return None,
                }
            }
            Inst::Mul(bin) => {
                let (nsw, dst, a, b) = self.slots(bin)?;
                match bin.width {
                    32 => Op::Mul32 { nsw, dst, a, b },
                    64 => Op::Mul64 { nsw, dst, a, b },
                    _ => return None,
                }
            }
            Inst::Float { op: op @ (FloatOp::Add | FloatOp::Sub | FloatOp::Mul), format: Float::F64, dst, a, b } => {
                Op::Float64 { op, dst, a: a.as_slot()?, b: b.as_slot()? }
            }
            Inst::Copy { dst, a } => Op::Copy { dst, a },
            Inst::Sext { from: 32, to: 64, dst, a } => Op::Widen(Widen { dst, a: a.as_slot()? }),
            Inst::Address { dst, base, index, scale, offset } => Op::Address {
                dst,
                place: Place { base, index: index.as_slot()?, scale: u16::try_from(scale).ok()?, offset },
            },
            Inst::AddressOffset { dst, base, offset } => Op::AddressOffset { dst, base: base.as_slot()?, offset },
            Inst::Load8 { dst, address, offset } => Op::Load1 { dst, address, offset },
            Inst::Load16 { dst, address, offset } => Op::Load2 { dst, address, offset },
            Inst::Load32 { dst, address, offset } => Op::Load4 { dst, address, offset },
            Inst::Load64 { dst, address, offset } => Op::Load8 { dst, address, offset },
            Inst::Store8 { address, offset, value } => Op::Store1 { address, offset, value },
            Inst::Store16 { address, offset, value } => Op::Store2 { address, offset, value },
            Inst::Store32 { address, offset, value } => Op::Store4 { address, offset, value },
            Inst::Store64 { address, offset, value } => Op::Store8 { address, offset, value },
            Inst::LoadIndexed { size, scale, dst, base, index, offset } => {
                let place = Place { base, index: index.as_slot()?, scale, offset };
                match size {
                    1 => Op::LoadAt1 { dst, place },
                    2 => Op::LoadAt2 { dst, place },
                    4 => Op::LoadAt4 { dst, place },
                    8 => Op::LoadAt8 { dst, place },
                    _ => return None,
                }
            }
            Inst::StoreIndexed { size, scale, base, index, offset, value } => {
                let place = Place { base, index: index.as_slot()?, scale, offset };
                match size {
                    1 => Op::StoreAt1 { place, value },
                    2 => Op::StoreAt2 { place, value },
                    4 => Op::StoreAt4 { place, value },
                    8 => Op::StoreAt8 { place, value },
                    _ => return None,
                }
            }
            Inst::Jump { target } => Op::Jump { target },
            Inst::Branch { condition, then, otherwise } => {
                Op::Branch { condition: condition.as_slot()?, paths: Paths { then, otherwise } }
            }
            Inst::BranchICmp { predicate, width, a, b, then, otherwise } => {
                return self.branch(predicate, width, a, b, Paths { then, otherwise });
            }
            _ => return None,
        })
    }

    fn constant(&self, operand: Operand) -> Option<u64> {
        operand.as_constant().map(|index| self.constants[index as usize])
    }

    fn nsw(&self, bin: Bin) -> bool {
        bin.flags & self.checked & flags::NSW != 0
    }

    fn slots(&self, bin: Bin) -> Option<(bool, Slot, Slot, Slot)> {
        Some((self.nsw(bin), bin.dst, bin.a.as_slot()?, bin.b.as_slot()?))
    }

    fn add(&self, bin: Bin) -> Option<Op> {
        let (nsw, dst) = (self.nsw(bin), bin.dst);
        // The order does not matter, so the constant goes to the right.
        let (a, b) = if bin.a.as_slot().is_some() { (bin.a, bin.b) } else { (bin.b, bin.a) };
        let a = a.as_slot()?;
        Some(match (bin.width, b.as_slot(), self.constant(b)) {
            (32, Some(b), _) => Op::Add32 { nsw, dst, a, b },
            (64, Some(b), _) => Op::Add64 { nsw, dst, a, b },
            (32, _, Some(b)) => Op::Add32I { nsw, dst, a, b: b as u32 },
            (64, _, Some(b)) => Op::Add64I { nsw, dst, a, b },
            _ => return None,
        })
    }

    /// Every comparison is "equal" or "less", of the operands or of the exchanged ones, or the opposite of that.
    fn branch(&self, predicate: IntPredicate, width: u8, a: Operand, b: Operand, paths: Paths) -> Option<Op> {
        let opposite = Paths { then: paths.otherwise, otherwise: paths.then };
        match predicate {
            IntPredicate::Eq => self.equal(a, b, paths),
            IntPredicate::Ne => self.equal(a, b, opposite),
            IntPredicate::Ult => self.unsigned(a, b, paths),
            IntPredicate::Ugt => self.unsigned(b, a, paths),
            IntPredicate::Uge => self.unsigned(a, b, opposite),
            IntPredicate::Ule => self.unsigned(b, a, opposite),
            IntPredicate::Slt => self.signed(width, a, b, paths),
            IntPredicate::Sgt => self.signed(width, b, a, paths),
            IntPredicate::Sge => self.signed(width, a, b, opposite),
            IntPredicate::Sle => self.signed(width, b, a, opposite),
        }
    }

    fn equal(&self, a: Operand, b: Operand, paths: Paths) -> Option<Op> {
        let (a, b) = if a.as_slot().is_some() { (a, b) } else { (b, a) };
        let a = a.as_slot()?;
        Some(match self.constant(b) {
            Some(b) => Op::BranchEqI { a, b, paths },
            None => Op::BranchEq { a, b: b.as_slot()?, paths },
        })
    }

    /// Branches on `a < b`. A constant on the left becomes one on the right: `c < x` is `!(x < c + 1)`.
    fn unsigned(&self, a: Operand, b: Operand, paths: Paths) -> Option<Op> {
        if let Some(c) = self.constant(a) {
            let paths = Paths { then: paths.otherwise, otherwise: paths.then };
            return Some(Op::BranchUltI { a: b.as_slot()?, b: c.checked_add(1)?, paths });
        }
        let a = a.as_slot()?;
        Some(match self.constant(b) {
            Some(b) => Op::BranchUltI { a, b, paths },
            None => Op::BranchUlt { a, b: b.as_slot()?, paths },
        })
    }

    /// The same for signed integers.
    fn signed(&self, width: u8, a: Operand, b: Operand, paths: Paths) -> Option<Op> {
        let opposite = Paths { then: paths.otherwise, otherwise: paths.then };
        let (left, right) = (self.constant(a), self.constant(b));
        match (width, left, right) {
            (32, Some(c), _) => {
                Some(Op::BranchSlt32I { a: b.as_slot()?, b: (c as i32).checked_add(1)?, paths: opposite })
            }
            (64, Some(c), _) => {
                Some(Op::BranchSlt64I { a: b.as_slot()?, b: (c as i64).checked_add(1)?, paths: opposite })
            }
            (32, _, Some(c)) => Some(Op::BranchSlt32I { a: a.as_slot()?, b: c as i32, paths }),
            (64, _, Some(c)) => Some(Op::BranchSlt64I { a: a.as_slot()?, b: c as i64, paths }),
            (32, ..) => Some(Op::BranchSlt32 { a: a.as_slot()?, b: b.as_slot()?, paths }),
            (64, ..) => Some(Op::BranchSlt64 { a: a.as_slot()?, b: b.as_slot()?, paths }),
            _ => None,
        }
    }
}
