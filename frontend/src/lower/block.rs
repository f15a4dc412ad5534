//! The order of blocks, and what is emitted for each.
use super::Res;
use super::function::Body;
use super::llvm::{Block, LLVMOpcode, Value};
use crate::ir::{Inst, Slot};
use rustc_hash::{FxHashMap, FxHashSet};

impl Body<'_> {
    /// Lowers all blocks that can be reached.
    pub(super) fn blocks(&mut self) -> Res<()> {
        let order = reverse_post_order(self.function);
        let predecessors = predecessors(&order);
        for block in &order {
            let label = self.label();
            self.block_labels.insert(*block, label);
        }
        self.stage_phis(&order)?;
        for (i, block) in order.iter().enumerate() {
            // A block that only the one before it leads to needs no jump.
            let next = order
                .get(i + 1)
                .copied()
                .filter(|next| predecessors[next] == 1 && leads_only_to(*block, *next) && !next.is_address_taken());
            self.block(*block, next);
        }
        // Labels whose blocks cannot be reached by any branch can still be named (and compared).
        let unreachable = self.label();
        let missing: Vec<Block> =
            self.function.blocks().filter(|b| !self.block_labels.contains_key(b) && b.is_address_taken()).collect();
        if !missing.is_empty() {
            self.bind(unreachable);
            self.emit(Inst::Unreachable);
            for block in missing {
                self.block_labels.insert(block, unreachable);
            }
        }
        Ok(())
    }

    fn block(&mut self, block: Block, next: Option<Block>) {
        let label = self.block_labels[&block];
        if self.joined != Some(block) {
            self.bind(label);
        }
        self.joined = next;
        self.unstage(block);
        for inst in block.instructions() {
            self.at(inst);
            if inst.is_phi() || is_idle(inst) {
                continue;
            }
            self.reliance(inst);
            if let Err(refusal) = self.instruction(inst, next) {
                self.refuse(refusal);
                self.forget(inst);
            }
        }
        self.flush_edges();
    }
}

/// Whether the block ends in an unconditional branch to `next`.
fn leads_only_to(block: Block, next: Block) -> bool {
    let last = block.terminator();
    last.is_some_and(|last| last.opcode() == LLVMOpcode::LLVMBr && !last.is_conditional())
        && block.successors() == [next]
}

/// The result is not used, and the instruction has no other effect.
fn is_idle(inst: Value) -> bool {
    use LLVMOpcode::*;
    let pure = matches!(
        inst.opcode(),
        LLVMAdd
            | LLVMSub
            | LLVMMul
            | LLVMShl
            | LLVMLShr
            | LLVMAShr
            | LLVMAnd
            | LLVMOr
            | LLVMXor
            | LLVMFNeg
            | LLVMFAdd
            | LLVMFSub
            | LLVMFMul
            | LLVMFDiv
            | LLVMFRem
            | LLVMAlloca
            | LLVMGetElementPtr
            | LLVMTrunc
            | LLVMZExt
            | LLVMSExt
            | LLVMUIToFP
            | LLVMSIToFP
            | LLVMFPTrunc
            | LLVMFPExt
            | LLVMPtrToInt
            | LLVMIntToPtr
            | LLVMBitCast
            | LLVMAddrSpaceCast
            | LLVMICmp
            | LLVMFCmp
            | LLVMSelect
            | LLVMExtractElement
            | LLVMInsertElement
            | LLVMShuffleVector
            | LLVMExtractValue
            | LLVMInsertValue
            | LLVMFreeze
    );
    pure && !is_checked(inst) && !inst.is_used()
}

/// Whether what goes in may be wrong, whether or not the result is needed. (Divisions and conversions to integers
/// always are.)
fn is_checked(inst: Value) -> bool {
    use LLVMOpcode::*;
    match inst.opcode() {
        LLVMAdd | LLVMSub | LLVMMul => inst.has_nsw(),
        LLVMShl | LLVMLShr | LLVMAShr => {
            let count = inst.operand(1);
            count.as_u64().is_none_or(|number| number >= u64::from(count.ty().int_bits()))
        }
        LLVMExtractElement => inst.operand(1).as_u64().is_none(),
        LLVMInsertElement => inst.operand(2).as_u64().is_none(),
        _ => false,
    }
}

/// Blocks in reverse post-order, the first successor first.
fn reverse_post_order(function: Value) -> Vec<Block> {
    let Some(entry) = function.blocks().next() else {
        return Vec::new();
    };
    let mut seen = FxHashSet::from_iter([entry]);
    let mut post_order = Vec::new();
    // The successors still to visit are taken from the end: the last one first, so that the first one comes right
    // behind its predecessor in the reversed order.
    let mut stack = vec![(entry, entry.successors())];
    while let Some((block, successors)) = stack.last_mut() {
        match successors.pop() {
            Some(successor) => {
                if seen.insert(successor) {
                    stack.push((successor, successor.successors()));
                }
            }
            None => {
                post_order.push(*block);
                stack.pop();
            }
        }
    }
    post_order.reverse();
    post_order
}

/// How many edges lead to each block.
fn predecessors(order: &[Block]) -> FxHashMap<Block, usize> {
    let mut count: FxHashMap<Block, usize> = order.iter().map(|b| (*b, 0)).collect();
    for successor in order.iter().flat_map(|b| b.successors()) {
        *count.get_mut(&successor).expect("successors are reached") += 1;
    }
    count
}

/// The phis of a block.
pub(super) fn phis(block: Block) -> impl Iterator<Item = Value> {
    block.instructions().take_while(|inst| inst.is_phi()).filter(|phi| phi.is_used())
}

/// A copy of one scalar that is part of a parallel copy.
pub(super) struct Move {
    pub(super) dst: Slot,
    pub(super) leaf: super::function::Leaf,
    pub(super) slots: u32,
}
