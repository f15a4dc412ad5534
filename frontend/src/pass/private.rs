//! Volatile accesses of variables that nothing else can reach become ordinary ones, so that mem2reg makes registers of
//! these variables as of others: `for (volatile int i = 0; i < pause; i++);` is a delay, and nobody looks on. (What a
//! variable must keep for `longjmp` it keeps where `setjmp` is called.)
use inkwell::llvm_sys::LLVMOpcode;
use inkwell::llvm_sys::core as llvm;
use inkwell::llvm_sys::prelude::LLVMValueRef;
use inkwell::module::Module;
use inkwell::values::{AsValueRef, InstructionOpcode};

/// Does that in all functions.
pub(super) fn make_ordinary(module: &Module<'_>) {
    for function in module.get_functions() {
        let entry = function.get_first_basic_block().into_iter().flat_map(|block| block.get_instructions());
        let variables = entry.filter(|inst| inst.get_opcode() == InstructionOpcode::Alloca);
        for variable in variables {
            // SAFETY: an instruction of a live module is alive.
            if let Some(accesses) = unsafe { accesses(variable.as_value_ref()) } {
                // SAFETY: these are loads and stores.
                accesses.into_iter().for_each(|access| unsafe { llvm::LLVMSetVolatile(access, 0) });
            }
        }
    }
}

/// The loads and stores of a variable; `None` if anything else is done with its address. (Where its life is marked, a
/// use after its end is to be seen.)
///
/// # Safety
/// `variable` is an instruction that is alive.
unsafe fn accesses(variable: LLVMValueRef) -> Option<Vec<LLVMValueRef>> {
    let mut accesses = Vec::new();
    // SAFETY: the users of a live instruction are instructions, and alive; each is asked only for what its opcode has.
    unsafe {
        let mut next = llvm::LLVMGetFirstUse(variable);
        while !next.is_null() {
            let user = llvm::LLVMGetUser(next);
            next = llvm::LLVMGetNextUse(next);
            match llvm::LLVMGetInstructionOpcode(user) {
                LLVMOpcode::LLVMLoad => accesses.push(user),
                LLVMOpcode::LLVMStore if llvm::LLVMGetOperand(user, 0) != variable => accesses.push(user),
                _ => return None,
            }
        }
    }
    Some(accesses)
}
