//! Phis become copies on the edges that lead to them.
use super::block::{Move, phis};
use super::function::{Body, Label, Leaf};
use super::llvm::{Block, LLVMOpcode};
use super::{Refusal, Res};
use crate::ir::{Inst, Operand, Slot};
use rustc_hash::FxHashSet;

impl Body<'_> {
    /// Where to branch to in order to go from `from` to `to`: to the block itself or, if that has phis, to copies that
    /// are emitted behind the end of `from` and go on there.
    pub(super) fn edge(&mut self, from: Block, to: Block) -> Label {
        if phis(to).next().is_none() {
            return self.block_labels[&to];
        }
        if let Some((_, _, label)) = self.edges.iter().find(|(a, b, _)| (*a, *b) == (from, to)) {
            return *label;
        }
        let label = self.label();
        self.edges.push((from, to, label));
        label
    }

    /// Emits the copies of the edges that were asked for.
    pub(super) fn flush_edges(&mut self) {
        for (from, to, label) in std::mem::take(&mut self.edges) {
            self.bind(label);
            match self.pass_values(from, to) {
                Ok(()) => {
                    let target = self.block_labels[&to].pc();
                    self.emit(Inst::Jump { target });
                }
                Err(refusal) => self.refuse(refusal),
            }
        }
    }

    /// Copies what the phis of `to` take when control comes from `from`.
    pub(super) fn pass_values(&mut self, from: Block, to: Block) -> Res<()> {
        let mut moves = Vec::new();
        for phi in phis(to) {
            let value = phi.incoming(from).ok_or_else(|| Refusal(format!("malformed {}", phi.text())))?;
            let leaves = self.leaves(value)?;
            let shape = self.shape(phi)?;
            let destinations = match self.staging.get(&phi) {
                Some(staging) => staging.clone(),
                None => self.define(phi)?,
            };
            for ((leaf, ty), dst) in leaves.iter().zip(&shape.leaves).zip(destinations) {
                moves.push(Move { dst, leaf: *leaf, slots: self.context.types.slots(ty.scalar) });
            }
        }
        self.parallel_copy(moves);
        Ok(())
    }

    /// Blocks that a computed goto leads to get the values of their phis through slots of their own, because such an
    /// edge cannot hold code and the slots of phis of the targets not taken must keep their values.
    pub(super) fn stage_phis(&mut self, order: &[Block]) -> Res<()> {
        for block in order {
            let computed = block.terminator().is_some_and(|last| last.opcode() == LLVMOpcode::LLVMIndirectBr);
            if !computed {
                continue;
            }
            for phi in block.successors().into_iter().flat_map(phis) {
                if !self.staging.contains_key(&phi) {
                    let shape = self.shape(phi)?;
                    let slots =
                        shape.leaves.iter().map(|leaf| self.unit(self.context.types.slots(leaf.scalar))).collect();
                    self.staging.insert(phi, slots);
                }
            }
        }
        Ok(())
    }

    /// Takes the values of staged phis at the start of their block.
    pub(super) fn unstage(&mut self, block: Block) {
        for phi in phis(block) {
            let Some(staging) = self.staging.get(&phi).cloned() else {
                continue;
            };
            if let (Ok(shape), Ok(destinations)) = (self.shape(phi), self.define(phi)) {
                for ((ty, from), dst) in shape.leaves.iter().zip(staging).zip(destinations) {
                    let slots = self.context.types.slots(ty.scalar);
                    self.copy(dst, Leaf::At(Operand::slot(from)), slots);
                }
            }
        }
    }

    /// Copies so that all reads come before all writes.
    fn parallel_copy(&mut self, moves: Vec<Move>) {
        // Slot by slot; what reads no slot can wait until the end.
        let mut pending: Vec<(Slot, Slot)> = Vec::new();
        let mut last: Vec<(Slot, Leaf)> = Vec::new();
        for Move { dst, leaf, slots } in moves {
            for i in 0..slots {
                let to = Slot(dst.0 + i);
                match leaf {
                    Leaf::Undef => last.push((to, leaf)),
                    Leaf::At(operand) => match operand.offset(i).as_slot() {
                        Some(from) if from != to => pending.push((from, to)),
                        Some(_) => {}
                        None => last.push((to, Leaf::At(operand.offset(i)))),
                    },
                }
            }
        }
        while !pending.is_empty() {
            let read: FxHashSet<Slot> = pending.iter().map(|(from, _)| *from).collect();
            match pending.iter().position(|(_, to)| !read.contains(to)) {
                Some(free) => {
                    let (from, dst) = pending.remove(free);
                    self.emit(Inst::Copy { dst, a: Operand::slot(from) });
                }
                None => {
                    // Only cycles are left: one value steps aside.
                    let (from, _) = pending[0];
                    let aside = self.unit(1);
                    self.emit(Inst::Copy { dst: aside, a: Operand::slot(from) });
                    for (other, _) in pending.iter_mut().filter(|(other, _)| *other == from) {
                        *other = aside;
                    }
                }
            }
        }
        for (dst, leaf) in last {
            self.copy(dst, leaf, 1);
        }
    }
}
