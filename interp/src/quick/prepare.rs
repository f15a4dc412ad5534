//! From instructions to operations.
use super::{Bits, Near, One, Op, Paths, Place, Reg, Shift, Source, Test, TestI, Two, WINDOW, Widen, fuse};
use crate::memory::Reach;
use crate::value::truncate;
use frontend::ir::{Bin, Float, FloatOp, Function, Inst, IntPredicate, Operand, Pc, Slot, flags};

/// The operations of a function; `constants` is the constant pool, `checked` the flags of arithmetic that are checked.
pub(crate) fn prepare(function: &Function, constants: &[u64], checked: u8, reach: Reach) -> Box<[Op]> {
    if function.frame_slots as usize >= WINDOW {
        return vec![Op::Plain; function.code.len()].into();
    }
    let translate = Translate { constants, checked, reach };
    let single: Vec<Op> = function.code.iter().map(|inst| translate.special(*inst).unwrap_or(Op::Plain)).collect();
    (0..single.len()).map(|at| fuse::fuse(&single, at)).collect()
}

/// The same without what stands for several instructions, or does one by itself.
pub(crate) fn one_by_one(mut ops: Box<[Op]>) -> Box<[Op]> {
    ops.iter_mut().filter(|op| !matches!(op, Op::Complete)).for_each(|op| *op = Op::Plain);
    ops
}

struct Translate<'a> {
    constants: &'a [u64],
    checked: u8,
    /// How far an offset may lead.
    reach: Reach,
}

/// A comparison that has been brought into a form that there is.
enum Compare {
    Equal,
    Unsigned,
    Signed32,
    Signed64,
}

/// Its right side.
enum Right {
    Reg(Reg),
    Constant(u64),
}

impl Translate<'_> {
    fn special(&self, inst: Inst) -> Option<Op> {
        Some(match inst {
            Inst::Add(bin) => return self.add(bin),
            Inst::Sub(bin) => return self.sub(bin),
            Inst::Mul(bin) => match bin.width {
                32 => Op::Mul32(self.two(bin)?),
                64 => Op::Mul64(self.two(bin)?),
                _ => return None,
            },
            Inst::And(bin) => match self.constant(bin.b) {
                Some(b) => Op::AndI { dst: reg(bin.dst)?, a: self.reg(bin.a)?, b: b & mask(bin.width) },
                None => Op::And(self.bits(bin)?),
            },
            Inst::Or(bin) => Op::Or(self.bits(bin)?),
            Inst::Xor(bin) => Op::Xor(self.bits(bin)?),
            Inst::Shl(bin) => Op::ShlI(self.shift(bin)?),
            Inst::LShr(bin) => Op::LShrI(self.shift(bin)?),
            Inst::Trunc { width, dst, a } => Op::AndI { dst: reg(dst)?, a: self.reg(a)?, b: mask(width) },
            Inst::Float { op: op @ (FloatOp::Add | FloatOp::Sub | FloatOp::Mul), format: Float::F64, dst, a, b } => {
                Op::Float64 { op, dst: reg(dst)?, a: self.reg(a)?, b: self.reg(b)? }
            }
            Inst::Copy { dst, a } => match self.constant(a) {
                Some(value) => Op::Set { dst: reg(dst)?, value },
                None => Op::Copy { dst: reg(dst)?, a: self.reg(a)? },
            },
            Inst::Sext { from: 32, to: 64, dst, a } => Op::Widen(Widen { dst: reg(dst)?, a: self.reg(a)? }),
            Inst::Sext { from: from @ 1..=64, to, dst, a } => {
                Op::Sext { dst: reg(dst)?, a: self.reg(a)?, spare: 64 - from, mask: mask(to) }
            }
            Inst::Address { dst, base, index, scale, offset } => {
                let scale = u16::try_from(scale).ok()?;
                Op::Address { dst: reg(dst)?, place: self.place(base, index, scale, offset)? }
            }
            Inst::AddressOffset { dst, base, offset } => {
                Op::Offset { dst: reg(dst)?, near: Near { base: reg(base.as_slot()?)?, offset: offset as u64 } }
            }
            Inst::UseAddress { what, a, b } => Op::UseAddress { what, a: self.reg(a)?, b: self.reg(b)? },
            Inst::ICmp { predicate, width, dst, a, b } => return self.compare(predicate, width, dst, a, b),
            Inst::Load8 { dst, address, offset } => Op::Load1 { dst: reg(dst)?, near: self.near(address, offset)? },
            Inst::Load16 { dst, address, offset } => Op::Load2 { dst: reg(dst)?, near: self.near(address, offset)? },
            Inst::Load32 { dst, address, offset } => Op::Load4 { dst: reg(dst)?, near: self.near(address, offset)? },
            Inst::Load64 { dst, address, offset } => Op::Load8 { dst: reg(dst)?, near: self.near(address, offset)? },
            Inst::Store8 { address, offset, value } => {
                Op::Store1 { near: self.near(address, offset)?, value: self.source(1, value)? }
            }
            Inst::Store16 { address, offset, value } => {
                Op::Store2 { near: self.near(address, offset)?, value: self.source(2, value)? }
            }
            Inst::Store32 { address, offset, value } => {
                Op::Store4 { near: self.near(address, offset)?, value: self.source(4, value)? }
            }
            Inst::Store64 { address, offset, value } => {
                Op::Store8 { near: self.near(address, offset)?, value: self.source(8, value)? }
            }
            Inst::LoadIndexed { size, scale, dst, base, index, offset } => {
                let (dst, place) = (reg(dst)?, self.place(base, index, scale, offset)?);
                match size {
                    1 => Op::LoadAt1 { dst, place },
                    2 => Op::LoadAt2 { dst, place },
                    4 => Op::LoadAt4 { dst, place },
                    8 => Op::LoadAt8 { dst, place },
                    _ => return None,
                }
            }
            Inst::StoreIndexed { size, scale, base, index, offset, value } => {
                let (place, value) = (self.place(base, index, scale, offset)?, self.source(size, value)?);
                match size {
                    1 => Op::StoreAt1 { place, value },
                    2 => Op::StoreAt2 { place, value },
                    4 => Op::StoreAt4 { place, value },
                    8 => Op::StoreAt8 { place, value },
                    _ => return None,
                }
            }
            Inst::Jump { target } => Op::Jump { target: target.0 },
            Inst::Branch { condition, then, otherwise } => {
                Op::Branch { condition: self.reg(condition)?, paths: paths(then, otherwise) }
            }
            Inst::BranchICmp { predicate, width, a, b, then, otherwise } => {
                return self.branch(predicate, width, a, b, paths(then, otherwise));
            }
            Inst::Call { .. }
            | Inst::CallIndirect { .. }
            | Inst::Return { .. }
            | Inst::AtomicLoad { .. }
            | Inst::AtomicStore { .. }
            | Inst::AtomicRmw { .. }
            | Inst::CompareExchange { .. } => Op::Complete,
            _ => return None,
        })
    }

    fn constant(&self, operand: Operand) -> Option<u64> {
        operand.as_constant().map(|index| self.constants[index as usize])
    }

    /// A slot, or the constant 0.
    fn reg(&self, operand: Operand) -> Option<Reg> {
        match operand.as_slot() {
            Some(slot) => reg(slot),
            None => (self.constant(operand)? == 0).then_some(Reg::ZERO),
        }
    }

    fn two(&self, bin: Bin) -> Option<Two> {
        Some(Two { nsw: self.nsw(bin), dst: reg(bin.dst)?, a: self.reg(bin.a)?, b: self.reg(bin.b)? })
    }

    /// With a constant in place of its right side.
    fn one(&self, bin: Bin, b: u64) -> Option<One> {
        Some(One { nsw: self.nsw(bin), dst: reg(bin.dst)?, a: self.reg(bin.a)?, b })
    }

    fn bits(&self, bin: Bin) -> Option<Bits> {
        Some(Bits { dst: reg(bin.dst)?, a: self.reg(bin.a)?, b: self.reg(bin.b)?, mask: mask(bin.width) })
    }

    fn shift(&self, bin: Bin) -> Option<Shift> {
        let by = self.constant(bin.b).filter(|by| *by < u64::from(bin.width))?;
        Some(Shift { dst: reg(bin.dst)?, a: self.reg(bin.a)?, by: by as u8, mask: mask(bin.width) })
    }

    fn nsw(&self, bin: Bin) -> bool {
        bin.flags & self.checked & flags::NSW != 0
    }

    /// An address for an access: it belongs to the object of the base, or is none at which anything can be accessed.
    fn near(&self, base: Operand, offset: impl Into<i64>) -> Option<Near> {
        let offset: i64 = offset.into();
        Some(match self.constant(base) {
            Some(base) => {
                let address = base.wrapping_add_signed(offset);
                Near { base: Reg::ZERO, offset: self.reach.stays(base, address).then_some(address)? }
            }
            None => Near { base: self.reg(base)?, offset: self.reach.spans(offset).then_some(offset as u64)? },
        })
    }

    fn place(&self, base: Operand, index: Operand, scale: u16, offset: i32) -> Option<Place> {
        // In front of its object an address may belong to another one.
        if offset < 0 && self.constant(base).is_none() {
            return None;
        }
        let Near { base, offset } = self.near(base, offset)?;
        Some(Place { base, index: self.reg(index)?, scale, offset })
    }

    /// What a store of that many bytes stores.
    fn source(&self, size: u8, value: Operand) -> Option<Source> {
        let Some(constant) = self.constant(value) else {
            return Some(Source { slot: self.reg(value)?, plus: 0 });
        };
        // Bytes that are not stored do not matter.
        let plus = constant as i32;
        (size <= 4 || i64::from(plus) as u64 == constant).then_some(Source { slot: Reg::ZERO, plus })
    }

    fn add(&self, bin: Bin) -> Option<Op> {
        // The order does not matter, so the constant goes to the right.
        let bin = if bin.a.as_slot().is_some() { bin } else { Bin { a: bin.b, b: bin.a, ..bin } };
        Some(match (bin.width, self.constant(bin.b)) {
            (32, None) => Op::Add32(self.two(bin)?),
            (64, None) => Op::Add64(self.two(bin)?),
            (32, Some(b)) => Op::Add32I(self.one(bin, b)?),
            (64, Some(b)) => Op::Add64I(self.one(bin, b)?),
            _ => return None,
        })
    }

    fn sub(&self, bin: Bin) -> Option<Op> {
        // To take a constant away is to add its opposite, and overflows in the same cases if it has one.
        Some(match (bin.width, self.constant(bin.b)) {
            (32, Some(b)) if b as i32 != i32::MIN => Op::Add32I(self.one(bin, b.wrapping_neg())?),
            (64, Some(b)) if b as i64 != i64::MIN => Op::Add64I(self.one(bin, b.wrapping_neg())?),
            (32, _) => Op::Sub32(self.two(bin)?),
            (64, _) => Op::Sub64(self.two(bin)?),
            _ => return None,
        })
    }

    fn branch(&self, predicate: IntPredicate, width: u8, a: Operand, b: Operand, paths: Paths) -> Option<Op> {
        let (not, kind, a, b) = self.normal(predicate, width, a, b)?;
        let paths = if not { Paths { then: paths.otherwise, otherwise: paths.then } } else { paths };
        Some(match (kind, b) {
            (Compare::Equal, Right::Reg(b)) => Op::BranchEq(Test { a, b, paths }),
            (Compare::Equal, Right::Constant(b)) => Op::BranchEqI(TestI { a, b, paths }),
            (Compare::Unsigned, Right::Reg(b)) => Op::BranchUlt(Test { a, b, paths }),
            (Compare::Unsigned, Right::Constant(b)) => Op::BranchUltI(TestI { a, b, paths }),
            (Compare::Signed32, Right::Reg(b)) => Op::BranchSlt32(Test { a, b, paths }),
            (Compare::Signed32, Right::Constant(b)) => Op::BranchSlt32I(TestI { a, b, paths }),
            (Compare::Signed64, Right::Reg(b)) => Op::BranchSlt64(Test { a, b, paths }),
            (Compare::Signed64, Right::Constant(b)) => Op::BranchSlt64I(TestI { a, b, paths }),
        })
    }

    fn compare(&self, predicate: IntPredicate, width: u8, dst: Slot, a: Operand, b: Operand) -> Option<Op> {
        let (not, kind, a, b) = self.normal(predicate, width, a, b)?;
        let dst = reg(dst)?;
        Some(match (kind, b) {
            (Compare::Equal, Right::Reg(b)) => Op::Equal { not, dst, a, b },
            (Compare::Equal, Right::Constant(b)) => Op::EqualI { not, dst, a, b },
            (Compare::Unsigned, Right::Reg(b)) => Op::Ult { not, dst, a, b },
            (Compare::Unsigned, Right::Constant(b)) => Op::UltI { not, dst, a, b },
            (Compare::Signed32, Right::Reg(b)) => Op::Slt32 { not, dst, a, b },
            (Compare::Signed32, Right::Constant(b)) => Op::Slt32I { not, dst, a, b },
            (Compare::Signed64, Right::Reg(b)) => Op::Slt64 { not, dst, a, b },
            (Compare::Signed64, Right::Constant(b)) => Op::Slt64I { not, dst, a, b },
        })
    }

    /// Every comparison is "equal" or "less", of the operands or of the exchanged ones, or the opposite of that (true).
    fn normal(
        &self,
        predicate: IntPredicate,
        width: u8,
        a: Operand,
        b: Operand,
    ) -> Option<(bool, Compare, Reg, Right)> {
        use IntPredicate::{Eq, Ne, Sge, Sgt, Sle, Slt, Uge, Ugt, Ule, Ult};
        let (a, b) = if matches!(predicate, Ugt | Ule | Sgt | Sle) { (b, a) } else { (a, b) };
        let not = matches!(predicate, Ne | Uge | Ule | Sge | Sle);
        let kind = match (predicate, width) {
            (Eq | Ne, _) => Compare::Equal,
            (Ult | Ugt | Uge | Ule, _) => Compare::Unsigned,
            (Slt | Sgt | Sge | Sle, 32) => Compare::Signed32,
            (Slt | Sgt | Sge | Sle, 64) => Compare::Signed64,
            _ => return None,
        };
        if let Some(b) = self.constant(b) {
            return Some((not, kind, self.reg(a)?, Right::Constant(b)));
        }
        let b = self.reg(b)?;
        let Some(c) = self.constant(a) else {
            return Some((not, kind, self.reg(a)?, Right::Reg(b)));
        };
        // A constant on the left becomes one on the right: `c < x` is `!(x < c + 1)`.
        let beyond = match kind {
            Compare::Equal => return Some((not, kind, b, Right::Constant(c))),
            Compare::Unsigned => c.checked_add(1)?,
            Compare::Signed32 => (c as i32).checked_add(1)? as u64,
            Compare::Signed64 => (c as i64).checked_add(1)? as u64,
        };
        Some((!not, kind, b, Right::Constant(beyond)))
    }
}

/// A slot that the window shows.
fn reg(slot: Slot) -> Option<Reg> {
    u8::try_from(slot.0).ok().map(Reg).filter(|reg| *reg != Reg::ZERO)
}

/// The bits of a type of that width.
fn mask(width: u8) -> u64 {
    truncate(width, u64::MAX)
}

fn paths(then: Pc, otherwise: Pc) -> Paths {
    Paths { then: then.0, otherwise: otherwise.0 }
}
