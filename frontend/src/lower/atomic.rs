//! Atomic accesses and fences.
use super::function::Body;
use super::llvm::{Kind, LLVMAtomicOrdering, LLVMAtomicRMWBinOp, LLVMOpcode, Value};
use super::{Refusal, Res};
use crate::ir::{Inst, Operand, Ordering, RmwOp, Slot, slots_of_bits};
use crate::pass::NUMBER_KEPT;

impl Body<'_> {
    /// Bytes of an atomic object.
    fn atomic_size(&self, v: Value) -> Res<u8> {
        let bits = self.context.types.bits(self.context.types.scalar(v.ty())?);
        match bits {
            8 | 16 | 32 | 64 | 128 => Ok((bits / 8) as u8),
            // An x87 number: its atomics move 16 bytes through an integer; clang never emits this form.
            _ => Err(Refusal(format!("an atomic access of type {}", v.ty().text()))),
        }
    }

    /// An atomic load.
    pub(super) fn atomic_load(&mut self, inst: Value) -> Res<()> {
        let size = self.atomic_size(inst)?;
        let ordering = access_ordering(inst)?;
        let address = self.pointer(inst.operand(0))?;
        let dst = self.define_one(inst)?;
        self.emit(Inst::AtomicLoad { size, ordering, dst, address });
        Ok(())
    }

    /// An atomic store.
    pub(super) fn atomic_store(&mut self, inst: Value) -> Res<()> {
        let size = self.atomic_size(inst.operand(0))?;
        let ordering = access_ordering(inst)?;
        let value = self.operand(inst.operand(0))?;
        let address = self.pointer(inst.operand(1))?;
        self.emit(Inst::AtomicStore { size, ordering, address, value });
        Ok(())
    }

    /// atomicrmw.
    pub(super) fn atomic_rmw(&mut self, inst: Value) -> Res<()> {
        self.ordinary(inst.operand(0))?;
        refuse_single_thread(inst)?;
        let size = self.atomic_size(inst)?;
        let ordering = ordering(inst.ordering())?;
        let address = self.pointer(inst.operand(0))?;
        let value = self.operand(inst.operand(1))?;
        let dst = self.define_one(inst)?;
        let op = match rmw_op(inst.rmw_op()) {
            RmwOp::Add if moves_pointer(inst) => RmwOp::PointerAdd,
            RmwOp::Sub if moves_pointer(inst) => RmwOp::PointerSub,
            other => other,
        };
        self.emit(Inst::AtomicRmw { op, size, ordering, unused: !inst.is_used(), dst, address, value });
        Ok(())
    }

    /// cmpxchg. A weak one never fails spuriously here, which C allows.
    pub(super) fn compare_exchange(&mut self, inst: Value) -> Res<()> {
        self.ordinary(inst.operand(0))?;
        refuse_single_thread(inst)?;
        let size = self.atomic_size(inst.operand(2))?;
        let (success, failure) = inst.cmpxchg_orderings();
        let (success, failure) = (ordering(success)?, ordering(failure)?);
        let address = self.pointer(inst.operand(0))?;
        let expected = self.operand(inst.operand(1))?;
        let new = self.operand(inst.operand(2))?;
        let dst = self.define_together(inst, 0)?;
        self.emit(Inst::CompareExchange { size, success, failure, dst, address, expected, new });
        Ok(())
    }

    /// fence.
    pub(super) fn fence(&mut self, inst: Value) -> Res<()> {
        let ordering = ordering(inst.ordering())?;
        self.emit(Inst::Fence { ordering, compiler_only: inst.is_single_thread() });
        Ok(())
    }

    /// An exchange made by inline assembly: returns the old value and the success bit.
    pub(super) fn seq_cst_exchange(
        &mut self,
        bits: u32,
        address: Operand,
        expected: Operand,
        new: Operand,
    ) -> (Operand, Operand) {
        let slots = slots_of_bits(bits);
        let dst = self.unit(slots + 1);
        let ordering = Ordering::SeqCst;
        let size = (bits / 8) as u8;
        self.emit(Inst::CompareExchange { size, success: ordering, failure: ordering, dst, address, expected, new });
        (Operand::slot(dst), Operand::slot(Slot(dst.0 + slots)))
    }

    /// A read-modify-write made by inline assembly: returns the old value.
    pub(super) fn seq_cst_rmw(
        &mut self,
        op: RmwOp,
        bits: u32,
        address: Operand,
        value: Operand,
        unused: bool,
    ) -> Operand {
        let dst = self.unit(slots_of_bits(bits));
        let size = (bits / 8) as u8;
        self.emit(Inst::AtomicRmw { op, size, ordering: Ordering::SeqCst, unused, dst, address, value });
        Operand::slot(dst)
    }
}

/// Whether a number is kept as a pointer: clang gives what an atomic operation on a pointer returns to a variable of
/// that type, which may have become a register.
fn becomes_pointer(number: Value) -> bool {
    number.users().any(|user| match user.opcode() {
        LLVMOpcode::LLVMStore => user.operand(0) == number && is_pointer_variable(user.operand(1)),
        _ => is_kept_number(user),
    })
}

/// Whether the instruction makes a pointer of what clang would store to a variable for one.
pub(super) fn is_kept_number(inst: Value) -> bool {
    let is_named = || NUMBER_KEPT.to_str().is_ok_and(|mark| inst.name().starts_with(mark));
    inst.opcode() == LLVMOpcode::LLVMIntToPtr && is_named()
}

/// Whether a sum or difference is the pointer that an atomic operation has left in memory.
pub(super) fn is_moved_pointer(sum: Value) -> bool {
    let (old, by) = (sum.operand(0), sum.operand(1));
    old.kind() == Kind::Instruction
        && old.opcode() == LLVMOpcode::LLVMAtomicRMW
        && by == old.operand(1)
        && becomes_pointer(sum)
}

/// Whether a read-modify-write is one of a pointer, by what becomes of the old value or of the new one.
fn moves_pointer(inst: Value) -> bool {
    let computes = |user: &Value| matches!(user.opcode(), LLVMOpcode::LLVMAdd | LLVMOpcode::LLVMSub);
    becomes_pointer(inst) || inst.users().filter(computes).any(becomes_pointer)
}

fn is_pointer_variable(place: Value) -> bool {
    place.kind() == Kind::Instruction && place.opcode() == LLVMOpcode::LLVMAlloca && place.allocated_type().is_pointer()
}

/// An atomic that orders only against signal handlers of the same thread has no counterpart; C cannot write it.
fn refuse_single_thread(inst: Value) -> Res<()> {
    if inst.is_single_thread() {
        return Err(Refusal(format!("{:?} of one thread", inst.opcode())));
    }
    Ok(())
}

/// The order of a load or store; a volatile one that counts as atomic has none but that.
fn access_ordering(inst: Value) -> Res<Ordering> {
    match inst.ordering() {
        LLVMAtomicOrdering::LLVMAtomicOrderingNotAtomic if inst.is_volatile() => Ok(Ordering::Relaxed),
        other => ordering(other),
    }
}

fn ordering(ordering: LLVMAtomicOrdering) -> Res<Ordering> {
    use LLVMAtomicOrdering::*;
    Ok(match ordering {
        LLVMAtomicOrderingUnordered | LLVMAtomicOrderingMonotonic => Ordering::Relaxed,
        LLVMAtomicOrderingAcquire => Ordering::Acquire,
        LLVMAtomicOrderingRelease => Ordering::Release,
        LLVMAtomicOrderingAcquireRelease => Ordering::AcqRel,
        LLVMAtomicOrderingSequentiallyConsistent => Ordering::SeqCst,
        LLVMAtomicOrderingNotAtomic => {
            return Err(Refusal("an atomic access without an order".into()));
        }
    })
}

fn rmw_op(op: LLVMAtomicRMWBinOp) -> RmwOp {
    use LLVMAtomicRMWBinOp::*;
    match op {
        LLVMAtomicRMWBinOpXchg => RmwOp::Xchg,
        LLVMAtomicRMWBinOpAdd => RmwOp::Add,
        LLVMAtomicRMWBinOpSub => RmwOp::Sub,
        LLVMAtomicRMWBinOpAnd => RmwOp::And,
        LLVMAtomicRMWBinOpNand => RmwOp::Nand,
        LLVMAtomicRMWBinOpOr => RmwOp::Or,
        LLVMAtomicRMWBinOpXor => RmwOp::Xor,
        LLVMAtomicRMWBinOpMax => RmwOp::SMax,
        LLVMAtomicRMWBinOpMin => RmwOp::SMin,
        LLVMAtomicRMWBinOpUMax => RmwOp::UMax,
        LLVMAtomicRMWBinOpUMin => RmwOp::UMin,
        LLVMAtomicRMWBinOpFAdd => RmwOp::FAdd,
        LLVMAtomicRMWBinOpFSub => RmwOp::FSub,
        LLVMAtomicRMWBinOpFMax => RmwOp::FMax,
        LLVMAtomicRMWBinOpFMin => RmwOp::FMin,
        LLVMAtomicRMWBinOpUIncWrap => RmwOp::UIncWrap,
        LLVMAtomicRMWBinOpUDecWrap => RmwOp::UDecWrap,
    }
}
