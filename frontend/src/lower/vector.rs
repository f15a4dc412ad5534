//! Vectors: picking, placing and rearranging elements.
use super::function::{Body, Leaf};
use super::llvm::Value;
use super::{Refusal, Res};
use crate::ir::{Inst, Operand, Slot};

impl Body<'_> {
    /// extractelement.
    pub(super) fn extract_element(&mut self, v: Value) -> Res<()> {
        let (vector, index) = (v.operand(0), v.operand(1));
        let leaves = self.leaves(vector)?;
        if let Some(index) = index.as_u64() {
            // Out of range gives an undefined value.
            let leaf = leaves.get(index as usize).copied().unwrap_or(Leaf::Undef);
            self.alias(v, [leaf].into());
            return Ok(());
        }
        let stride = self.context.types.slots(self.scalar(vector)?);
        let n = element_count(leaves.len())?;
        let (row, _) = self.gather(vector)?;
        let index = self.element_index(index)?;
        let dst = self.define_one(v)?;
        self.emit(Inst::ExtractDynamic { n, stride: stride as u8, dst, vector: row, index });
        Ok(())
    }

    /// insertelement.
    pub(super) fn insert_element(&mut self, v: Value) -> Res<()> {
        let (vector, element, index) = (v.operand(0), v.operand(1), v.operand(2));
        let leaves = self.leaves(vector)?;
        let new = self.leaves(element)?[0];
        if let Some(index) = index.as_u64() {
            let mut leaves = leaves.to_vec();
            match leaves.get_mut(index as usize) {
                Some(leaf) => *leaf = new,
                None => leaves.fill(Leaf::Undef),
            }
            self.alias(v, leaves.into());
            return Ok(());
        }
        let stride = self.context.types.slots(self.scalar(vector)?);
        let n = element_count(leaves.len())?;
        let index = self.element_index(index)?;
        let value = self.read(new, stride);
        let dst = self.define_together(v, 0)?;
        for (i, leaf) in leaves.iter().enumerate() {
            self.copy(Slot(dst.0 + i as u32 * stride), *leaf, stride);
        }
        self.emit(Inst::InsertDynamic { n, stride: stride as u8, dst, index, value });
        Ok(())
    }

    /// An index of an element in one slot; wider ones would be far out of range anyway.
    fn element_index(&mut self, index: Value) -> Res<Operand> {
        if self.bits(index)? > 64 {
            return Err(Refusal(format!("the index {}", index.text())));
        }
        self.operand(index)
    }

    /// shufflevector.
    pub(super) fn shuffle(&mut self, v: Value) -> Res<()> {
        if v.is_constant() {
            return Err(Refusal(format!("the constant {}", v.text())));
        }
        let mut all = self.leaves(v.operand(0))?.to_vec();
        all.extend_from_slice(&self.leaves(v.operand(1))?);
        let leaves = v
            .shuffle_mask()
            .into_iter()
            .map(|index| index.and_then(|i| all.get(i as usize).copied()).unwrap_or(Leaf::Undef))
            .collect();
        self.alias(v, leaves);
        Ok(())
    }

    /// Lowers the intrinsic if it rearranges vectors.
    pub(super) fn vector_intrinsic(&mut self, inst: Value, name: &str) -> Option<Res<()>> {
        Some(match name.strip_prefix("experimental.").unwrap_or(name) {
            "vector.insert" => self.insert_vector(inst),
            "vector.extract" => self.extract_vector(inst),
            "vector.reverse" => self.rearranged(inst, |leaves, _| leaves.iter().rev().copied().collect()),
            "vector.interleave2" => self.rearranged(inst, |a, b| a.iter().zip(b).flat_map(|(a, b)| [*a, *b]).collect()),
            "vector.deinterleave2" => self.rearranged(inst, |a, _| {
                let (even, odd) = (a.iter().step_by(2), a.iter().skip(1).step_by(2));
                even.chain(odd).copied().collect()
            }),
            "stepvector" => self.step_vector(inst),
            "get.active.lane.mask" => self.lane_mask(inst),
            _ => return None,
        })
    }

    /// New leaves from those of the first operand and, if there is one, the second.
    fn rearranged(&mut self, inst: Value, rearrange: fn(&[Leaf], &[Leaf]) -> Vec<Leaf>) -> Res<()> {
        let arguments = inst.arguments();
        let a = self.leaves(arguments[0])?;
        let b = match arguments.get(1) {
            Some(second) => self.leaves(*second)?,
            None => a.clone(),
        };
        self.alias(inst, rearrange(&a, &b).into());
        Ok(())
    }

    fn insert_vector(&mut self, inst: Value) -> Res<()> {
        let at = inst.operand(2).as_u64().unwrap_or_default() as usize;
        let mut leaves = self.leaves(inst.operand(0))?.to_vec();
        let part = self.leaves(inst.operand(1))?;
        let place = leaves.get_mut(at..at + part.len()).ok_or_else(|| Refusal(inst.text()))?;
        place.copy_from_slice(&part);
        self.alias(inst, leaves.into());
        Ok(())
    }

    fn extract_vector(&mut self, inst: Value) -> Res<()> {
        let at = inst.operand(1).as_u64().unwrap_or_default() as usize;
        let leaves = self.leaves(inst.operand(0))?;
        let len = self.shape(inst)?.leaves.len();
        let part = leaves.get(at..at + len).ok_or_else(|| Refusal(inst.text()))?;
        self.alias(inst, part.into());
        Ok(())
    }

    fn step_vector(&mut self, inst: Value) -> Res<()> {
        let len = self.shape(inst)?.leaves.len();
        let bits = self.bits(inst)?;
        let steps = (0..len).map(|i| Leaf::At(self.wide_number(i as u128, bits))).collect();
        self.alias(inst, steps);
        Ok(())
    }

    /// Lane `i` is on iff `base + i < n`, without wrapping.
    fn lane_mask(&mut self, inst: Value) -> Res<()> {
        use crate::ir::{IntOp, IntPredicate};
        let bits = self.bits(inst.operand(0))?;
        let (base, n) = (self.operand(inst.operand(0))?, self.operand(inst.operand(1))?);
        let dst = self.define(inst)?;
        for (i, dst) in dst.into_iter().enumerate() {
            let step = self.wide_number(i as u128, bits);
            let at = self.unit(crate::ir::slots_of_bits(bits));
            self.int_scalar(IntOp::UAddSat, bits, at, base, step)?;
            self.compare(IntPredicate::Ult, bits, dst, Operand::slot(at), n);
        }
        Ok(())
    }
}

fn element_count(n: usize) -> Res<u16> {
    u16::try_from(n).map_err(|_| Refusal(format!("a vector of {n} elements")))
}
