//! Integers of more than 128 bits, which clang makes of long runs of packed bit-fields: rows of 64-bit leaves that can
//! be cut, shifted by constants and combined bit by bit. There is no arithmetic on them.
use super::function::{Body, Leaf};
use super::inst::int_predicate;
use super::llvm::{LLVMOpcode, Type, TypeKind, Value};
use super::{Refusal, Res};
use crate::ir::{Bin, Inst, IntPredicate, Operand, slots_of_bits};

/// Whether it is an integer type of this kind.
pub(super) fn is_huge(ty: Type) -> bool {
    ty.kind() == TypeKind::LLVMIntegerTypeKind && ty.int_bits() > 128
}

/// Words with the first bit and the number of bits of each.
type Words = Vec<(u32, Operand, u32)>;

impl Body<'_> {
    /// An operation with such an integer as its result or operand.
    pub(super) fn huge(&mut self, v: Value) -> Res<()> {
        use LLVMOpcode::*;
        let opcode = v.opcode();
        let source = v.operand(0);
        match opcode {
            LLVMAnd | LLVMOr | LLVMXor => self.huge_bitwise(v, opcode),
            LLVMShl | LLVMLShr | LLVMAShr => self.huge_shift(v, opcode),
            LLVMTrunc | LLVMZExt => {
                let words = self.words(source)?;
                self.cut(v, &words, 0)
            }
            LLVMSExt => {
                let mut words = self.words(source)?;
                self.append_sign(&mut words, v.ty().int_bits());
                self.cut(v, &words, 0)
            }
            LLVMICmp => self.huge_compare(v),
            _ => Err(Refusal(format!("{opcode:?} of type {}", source.ty().text()))),
        }
    }

    /// The words of an integer of any width.
    fn words(&mut self, v: Value) -> Res<Words> {
        let shape = self.shape(v)?;
        let leaves = self.leaves(v)?;
        let mut words = Vec::new();
        let mut at = 0;
        for (leaf, ty) in leaves.iter().zip(&shape.leaves) {
            let bits = self.context.types.bits(ty.scalar);
            let operand = self.read(*leaf, slots_of_bits(bits));
            words.push((at, operand, bits.min(64)));
            if bits > 64 {
                words.push((at + 64, operand.offset(1), bits - 64));
            }
            at += bits;
        }
        Ok(words)
    }

    /// Makes the result of the bits from `from` on; those behind the last word are 0.
    fn cut(&mut self, v: Value, words: &Words, from: u32) -> Res<()> {
        let shape = self.shape(v)?;
        let mut leaves = Vec::with_capacity(shape.leaves.len());
        let mut at = from;
        for ty in &shape.leaves {
            let bits = self.context.types.bits(ty.scalar);
            let mut operand = self.word(words, at, bits.min(64));
            if bits > 64 {
                let high = self.word(words, at + 64, bits - 64);
                operand = self.pair(operand, high);
            }
            leaves.push(Leaf::At(operand));
            at += bits;
        }
        self.alias(v, leaves.into());
        Ok(())
    }

    /// Adds `more` copies of the last bit.
    fn append_sign(&mut self, words: &mut Words, more: u32) {
        let &(start, top, bits) = words.last().expect("integers have words");
        let mut sign = top;
        if bits < 64 {
            let dst = self.unit(1);
            self.emit(Inst::Sext { from: bits as u8, to: 64, dst, a: top });
            sign = Operand::slot(dst);
        }
        let dst = self.unit(1);
        let b = self.number(63);
        self.emit(Inst::AShr(Bin { width: 64, flags: 0, dst, a: sign, b }));
        let end = start + bits;
        words.extend((0..more).step_by(64).map(|at| (end + at, Operand::slot(dst), 64)));
    }

    fn huge_bitwise(&mut self, v: Value, opcode: LLVMOpcode) -> Res<()> {
        let shape = self.shape(v)?;
        let (a, b) = (self.leaves(v.operand(0))?, self.leaves(v.operand(1))?);
        let mut leaves = Vec::with_capacity(a.len());
        for ((ty, a), b) in shape.leaves.iter().zip(a.iter()).zip(b.iter()) {
            let (a, b) = (self.read(*a, 1), self.read(*b, 1));
            let bits = self.context.types.bits(ty.scalar);
            leaves.push(Leaf::At(self.fresh_arithmetic(opcode, bits, a, b)?));
        }
        self.alias(v, leaves.into());
        Ok(())
    }

    fn huge_shift(&mut self, v: Value, opcode: LLVMOpcode) -> Res<()> {
        let bits = v.ty().int_bits();
        let amount = v.operand(1);
        if !amount.is_number() {
            return Err(Refusal(format!("a variable shift of type {}", v.ty().text())));
        }
        let amount = amount.words(self.context.types.layout);
        let amount = match u32::try_from(amount[0]) {
            Ok(n) if n < bits && amount[1..].iter().all(|word| *word == 0) => n,
            _ => return Err(Refusal(format!("a shift by all bits of type {}", v.ty().text()))),
        };
        let mut words = self.words(v.operand(0))?;
        match opcode {
            LLVMOpcode::LLVMShl => {
                words.iter_mut().for_each(|(start, ..)| *start += amount);
                self.cut(v, &words, 0)
            }
            LLVMOpcode::LLVMLShr => self.cut(v, &words, amount),
            _ => {
                self.append_sign(&mut words, amount);
                self.cut(v, &words, amount)
            }
        }
    }

    /// Equality only: some word differs, or none.
    fn huge_compare(&mut self, v: Value) -> Res<()> {
        let predicate = int_predicate(v.int_predicate());
        if !matches!(predicate, IntPredicate::Eq | IntPredicate::Ne) {
            return Err(Refusal(format!("{predicate:?} of type {}", v.operand(0).ty().text())));
        }
        let (a, b) = (self.words(v.operand(0))?, self.words(v.operand(1))?);
        let zero = self.number(0);
        let mut difference = zero;
        for ((_, a, _), (_, b, _)) in a.into_iter().zip(b) {
            let differs = self.fresh_arithmetic(LLVMOpcode::LLVMXor, 64, a, b)?;
            difference = self.fresh_arithmetic(LLVMOpcode::LLVMOr, 64, difference, differs)?;
        }
        let dst = self.define_one(v)?;
        self.compare(predicate, 64, dst, difference, zero);
        Ok(())
    }
}
