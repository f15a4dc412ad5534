//! Taking words apart and putting them together: bitcasts between different shapes.
use super::function::{Body, Leaf};
use super::llvm::Value;
use super::types::Shape;
use super::{Refusal, Res};
use crate::ir::{Bin, Inst, Operand, Slot};

impl Body<'_> {
    /// `len` bits of a word of `width` bits, from bit `from` on.
    pub(super) fn bits_of(&mut self, word: Operand, width: u32, from: u32, len: u32) -> Operand {
        let mut a = word;
        if from > 0 {
            let dst = self.unit(1);
            let b = self.number(u64::from(from));
            self.emit(Inst::LShr(Bin { width: width as u8, flags: 0, dst, a, b }));
            a = Operand::slot(dst);
        }
        if from + len < width {
            let dst = self.unit(1);
            self.emit(Inst::Trunc { width: len as u8, dst, a });
            a = Operand::slot(dst);
        }
        a
    }

    /// `word | a << by`, where `word` may be the constant 0.
    pub(super) fn or_shifted(&mut self, word: Operand, a: Operand, by: u32) -> Operand {
        let mut a = a;
        if by > 0 {
            let dst = self.unit(1);
            let b = self.number(u64::from(by));
            self.emit(Inst::Shl(Bin { width: 64, flags: 0, dst, a, b }));
            a = Operand::slot(dst);
        }
        if self.context.pool_number(word) == Some(0) {
            return a;
        }
        let dst = self.unit(1);
        self.emit(Inst::Or(Bin { width: 64, flags: 0, dst, a: word, b: a }));
        Operand::slot(dst)
    }

    /// bitcast: the same bits, cut differently.
    pub(super) fn bitcast(&mut self, inst: Value) -> Res<()> {
        let source = inst.operand(0);
        let (from, to) = (self.shape(source)?, self.shape(inst)?);
        let leaves = self.leaves(source)?;
        let leaves = self.repack(&leaves, &from, &to)?;
        self.alias(inst, leaves.into());
        Ok(())
    }

    /// The leaves of the shape `to` that have the bits of `leaves`, which have the shape `from`.
    pub(super) fn repack(&mut self, leaves: &[Leaf], from: &Shape, to: &Shape) -> Res<Vec<Leaf>> {
        let widths = |body: &Self, shape: &Shape| -> Vec<u32> {
            shape.leaves.iter().map(|leaf| body.context.types.bits(leaf.scalar)).collect()
        };
        let (from, to) = (widths(self, from), widths(self, to));
        if from == to {
            return Ok(leaves.to_vec());
        }
        if from.iter().sum::<u32>() != to.iter().sum::<u32>() {
            return Err(Refusal("a bitcast between sizes".into()));
        }
        // The source as words of up to 64 bits, each with its first bit.
        let mut words = Vec::new();
        let mut at = 0;
        for (leaf, bits) in leaves.iter().zip(from) {
            let slots = crate::ir::slots_of_bits(bits);
            let operand = self.read(*leaf, slots);
            words.push((at, operand, bits.min(64)));
            if slots == 2 {
                words.push((at + 64, operand.offset(1), bits - 64));
            }
            at += bits;
        }
        let mut at = 0;
        let mut result = Vec::with_capacity(to.len());
        for bits in to {
            let low = self.word(&words, at, bits.min(64));
            let operand = if bits > 64 {
                let high = self.word(&words, at + 64, bits - 64);
                self.pair(low, high)
            } else {
                low
            };
            result.push(Leaf::At(operand));
            at += bits;
        }
        Ok(result)
    }

    /// Bits `at..at + len` of a row of words.
    pub(super) fn word(&mut self, words: &[(u32, Operand, u32)], at: u32, len: u32) -> Operand {
        let mut result = self.number(0);
        for &(start, operand, width) in words {
            let (low, high) = (at.max(start), (at + len).min(start + width));
            if low < high {
                let part = self.bits_of(operand, width, low - start, high - low);
                result = self.or_shifted(result, part, low - at);
            }
        }
        result
    }

    /// Two words side by side.
    pub(super) fn pair(&mut self, low: Operand, high: Operand) -> Operand {
        if high == low.offset(1) {
            return low;
        }
        let dst = self.unit(2);
        self.emit(Inst::Copy { dst, a: low });
        self.emit(Inst::Copy { dst: Slot(dst.0 + 1), a: high });
        Operand::slot(dst)
    }
}
