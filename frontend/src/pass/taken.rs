//! Keeps in memory the variables whose address is taken.
//!
//! mem2reg makes registers of variables again and again: once `p` of `int *p = &x` is a register, `*p` is an access of
//! `x` itself, and `x` may become a register, too. With `x` goes what can go wrong with it: a use through `p` after the
//! end of the block of `x`, and a read before it was written, which the marks of [`undefined`](super::undefined) keep
//! in sight only of variables that are registers at once.
use super::pins::Pins;
use inkwell::llvm_sys::core as llvm;
use inkwell::llvm_sys::prelude::LLVMValueRef;
use inkwell::module::Module;
use inkwell::values::{AsValueRef, InstructionOpcode};

/// Pins the variables whose address another variable is given.
pub(super) fn pin<'m>(module: &'m Module<'_>, pins: &mut Pins<'m>) {
    for function in module.get_functions() {
        let entry = function.get_first_basic_block().into_iter().flat_map(|block| block.get_instructions());
        let variables = entry.filter(|inst| inst.get_opcode() == InstructionOpcode::Alloca);
        // SAFETY: an instruction of a live module is alive.
        let stored = variables.filter(|variable| unsafe { is_stored(variable.as_value_ref()) });
        stored.collect::<Vec<_>>().into_iter().for_each(|variable| pins.add(variable));
    }
}

/// Whether a store has the value as what it stores.
///
/// # Safety
/// `value` is an instruction that is alive.
unsafe fn is_stored(value: LLVMValueRef) -> bool {
    // SAFETY: the users of a live instruction are instructions, and alive; a store has two operands.
    unsafe {
        let mut next = llvm::LLVMGetFirstUse(value);
        while !next.is_null() {
            let user = llvm::LLVMGetUser(next);
            next = llvm::LLVMGetNextUse(next);
            let is_store = !llvm::LLVMIsAStoreInst(user).is_null();
            if is_store && llvm::LLVMGetOperand(user, 0) == value {
                return true;
            }
        }
    }
    false
}
