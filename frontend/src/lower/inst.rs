//! One instruction of LLVM's at a time: which lowering it goes to.
use super::atomic::is_moved_pointer;
use super::function::{Body, Leaf, Leaves};
use super::huge::is_huge;
use super::llvm::{Block, Kind, LLVMIntPredicate, LLVMOpcode, Value};
use super::{Refusal, Res};
use crate::ir::{Inst, IntPredicate, Operand, Slot};

impl Body<'_> {
    /// Lowers an instruction; `next` is the block that will be emitted right behind and can be run into.
    pub(super) fn instruction(&mut self, inst: Value, next: Option<Block>) -> Res<()> {
        use LLVMOpcode::*;
        match inst.opcode() {
            LLVMBr => self.branch(inst, next),
            LLVMSwitch => self.switch(inst),
            LLVMIndirectBr => self.computed_goto(inst),
            LLVMRet => self.ret(inst),
            LLVMUnreachable => {
                self.emit(Inst::Unreachable);
                Ok(())
            }
            LLVMCall => self.call(inst),
            // Nothing throws: control goes on at the normal destination.
            LLVMInvoke => {
                self.call(inst)?;
                self.jump(inst.parent(), inst.successor(0), next)
            }
            LLVMCallBr => {
                self.call(inst)?;
                self.jump(inst.parent(), inst.successor(0), next)
            }
            LLVMLoad => self.load(inst),
            LLVMStore => self.store(inst),
            LLVMAlloca => self.alloca(inst),
            LLVMFence => self.fence(inst),
            LLVMAtomicRMW => self.atomic_rmw(inst),
            LLVMAtomicCmpXchg => self.compare_exchange(inst),
            LLVMVAArg => self.va_arg(inst),
            _ => {
                self.compute(inst)?;
                self.keep_word(inst)
            }
        }
    }

    /// Lowers an instruction or constant expression that only computes a value.
    pub(super) fn compute(&mut self, v: Value) -> Res<()> {
        use LLVMOpcode::*;
        if !matches!(v.opcode(), LLVMBitCast | LLVMSelect | LLVMFreeze | LLVMExtractValue | LLVMInsertValue)
            && v.operands() > 0
            && (is_huge(v.ty()) || is_huge(v.operand(0).ty()))
        {
            return self.huge(v);
        }
        match v.opcode() {
            LLVMAdd | LLVMSub if is_moved_pointer(v) => self.moved_pointer(v),
            LLVMAdd | LLVMSub | LLVMMul | LLVMUDiv | LLVMSDiv | LLVMURem | LLVMSRem | LLVMShl | LLVMLShr | LLVMAShr
            | LLVMAnd | LLVMOr | LLVMXor => self.binary(v),
            LLVMICmp => self.icmp(v),
            LLVMTrunc => self.trunc(v),
            LLVMZExt => self.zext(v),
            LLVMSExt => self.sext(v),
            LLVMFAdd | LLVMFSub | LLVMFMul | LLVMFDiv | LLVMFRem => self.float_binary(v),
            LLVMFNeg => self.float_neg(v),
            LLVMFCmp => self.fcmp(v),
            LLVMFPToUI | LLVMFPToSI | LLVMUIToFP | LLVMSIToFP | LLVMFPTrunc | LLVMFPExt => self.float_cast(v),
            LLVMPtrToInt | LLVMIntToPtr => self.pointer_cast(v),
            LLVMBitCast => self.bitcast(v),
            LLVMGetElementPtr => self.gep(v),
            LLVMSelect => self.select(v),
            LLVMFreeze => self.freeze(v),
            LLVMExtractValue => self.extract_value(v),
            LLVMInsertValue => self.insert_value(v),
            LLVMExtractElement => self.extract_element(v),
            LLVMInsertElement => self.insert_element(v),
            LLVMShuffleVector => self.shuffle(v),
            LLVMLandingPad | LLVMResume => Err(Refusal("an exception".into())),
            _ => Err(Refusal(format!("the instruction {}", v.text()))),
        }
    }

    /// ptrtoint and inttoptr: a change of width at most.
    fn pointer_cast(&mut self, v: Value) -> Res<()> {
        let source = v.operand(0);
        let (from, to) = (self.bits(source)?, self.bits(v)?);
        if from == to {
            let leaves = self.leaves(source)?;
            self.alias(v, leaves);
            Ok(())
        } else if from < to {
            self.zext(v)
        } else {
            self.trunc(v)
        }
    }

    fn select(&mut self, v: Value) -> Res<()> {
        let shape = self.shape(v)?;
        let conditions = self.elements(v.operand(0))?;
        let (then, otherwise) = (self.leaves(v.operand(1))?, self.leaves(v.operand(2))?);
        let per_element = v.operand(0).ty().is_vector();
        let dst = self.define(v)?;
        for (i, (leaf, dst)) in shape.leaves.iter().zip(dst).enumerate() {
            let slots = self.context.types.slots(leaf.scalar);
            let c = conditions[if per_element { i } else { 0 }];
            let (a, b) = (self.read(then[i], slots), self.read(otherwise[i], slots));
            self.select_scalar(dst, c, a, b, slots);
        }
        Ok(())
    }

    /// `dst = c ? a : b` for a scalar of `slots` slots.
    pub(super) fn select_scalar(&mut self, dst: Slot, c: Operand, a: Operand, b: Operand, slots: u32) {
        for i in 0..slots {
            self.emit(Inst::Select { dst: Slot(dst.0 + i), c, a: a.offset(i), b: b.offset(i) });
        }
    }

    fn freeze(&mut self, v: Value) -> Res<()> {
        let shape = self.shape(v)?;
        let leaves = self.leaves(v.operand(0))?;
        let mut frozen = Vec::with_capacity(leaves.len());
        for (ty, leaf) in shape.leaves.iter().zip(leaves.iter()) {
            let slots = self.context.types.slots(ty.scalar);
            frozen.push(match *leaf {
                // Constants are defined.
                Leaf::At(a) if a.as_constant().is_some() => *leaf,
                _ => {
                    let (a, dst) = (self.read(*leaf, slots), self.unit(slots));
                    for i in 0..slots {
                        self.emit(Inst::Freeze { dst: Slot(dst.0 + i), a: a.offset(i) });
                    }
                    Leaf::At(Operand::slot(dst))
                }
            });
        }
        self.alias(v, frozen.into());
        Ok(())
    }

    fn extract_value(&mut self, v: Value) -> Res<()> {
        let aggregate = v.operand(0);
        let leaves = self.leaves(aggregate)?;
        let (first, _) = self.context.types.part_at(aggregate.ty(), &v.indices())?;
        let len = self.shape(v)?.leaves.len();
        self.alias(v, leaves[first..first + len].into());
        Ok(())
    }

    fn insert_value(&mut self, v: Value) -> Res<()> {
        let (aggregate, part) = (v.operand(0), v.operand(1));
        let mut leaves: Vec<Leaf> = self.leaves(aggregate)?.to_vec();
        let part: Leaves = self.leaves(part)?;
        let (first, _) = self.context.types.part_at(aggregate.ty(), &v.indices())?;
        leaves[first..first + part.len()].copy_from_slice(&part);
        self.alias(v, leaves.into());
        Ok(())
    }
}

/// A comparison that is done by the one branch that depends on it.
pub(super) fn fused_comparison(condition: Value) -> bool {
    condition.kind() == Kind::Instruction
        && condition.opcode() == LLVMOpcode::LLVMICmp
        && condition.single_user().is_some_and(|user| user.opcode() == LLVMOpcode::LLVMBr)
        && is_word(condition.operand(0))
}

/// An integer of up to 64 bits, or a pointer.
fn is_word(v: Value) -> bool {
    use super::llvm::TypeKind::*;
    match v.ty().kind() {
        LLVMIntegerTypeKind => v.ty().int_bits() <= 64,
        LLVMPointerTypeKind => v.ty().address_space() == 0,
        _ => false,
    }
}

/// The predicate by our name.
pub(super) fn int_predicate(predicate: LLVMIntPredicate) -> IntPredicate {
    match predicate {
        LLVMIntPredicate::LLVMIntEQ => IntPredicate::Eq,
        LLVMIntPredicate::LLVMIntNE => IntPredicate::Ne,
        LLVMIntPredicate::LLVMIntUGT => IntPredicate::Ugt,
        LLVMIntPredicate::LLVMIntUGE => IntPredicate::Uge,
        LLVMIntPredicate::LLVMIntULT => IntPredicate::Ult,
        LLVMIntPredicate::LLVMIntULE => IntPredicate::Ule,
        LLVMIntPredicate::LLVMIntSGT => IntPredicate::Sgt,
        LLVMIntPredicate::LLVMIntSGE => IntPredicate::Sge,
        LLVMIntPredicate::LLVMIntSLT => IntPredicate::Slt,
        LLVMIntPredicate::LLVMIntSLE => IntPredicate::Sle,
    }
}
