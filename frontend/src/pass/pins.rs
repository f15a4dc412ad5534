//! Keeps variables in memory that mem2reg would make registers of: each is given a use that mem2reg does not know.
use inkwell::llvm_sys::core as llvm;
use inkwell::llvm_sys::prelude::LLVMValueRef;
use inkwell::module::Module;
use inkwell::values::{AsValueRef, InstructionValue};
use std::marker::PhantomData;

/// The uses that keep variables from becoming registers.
pub(super) struct Pins<'m> {
    uses: Vec<LLVMValueRef>,
    module: PhantomData<&'m ()>,
}

impl<'m> Pins<'m> {
    /// None yet. All of them will be in this module.
    pub(super) fn new(_: &'m Module<'_>) -> Self {
        Pins { uses: Vec::new(), module: PhantomData }
    }

    /// Keeps a variable, which is an `alloca`, in memory.
    pub(super) fn add(&mut self, variable: InstructionValue<'_>) {
        let raw = variable.as_value_ref();
        // SAFETY: an alloca ends no block, so that there is a next instruction to build before.
        unsafe {
            let context = llvm::LLVMGetTypeContext(llvm::LLVMTypeOf(raw));
            let builder = llvm::LLVMCreateBuilderInContext(context);
            llvm::LLVMPositionBuilderBefore(builder, llvm::LLVMGetNextInstruction(raw));
            let number = llvm::LLVMInt64TypeInContext(context);
            self.uses.push(llvm::LLVMBuildPtrToInt(builder, raw, number, c"".as_ptr()));
            llvm::LLVMDisposeBuilder(builder);
        }
    }

    /// Takes the uses out again.
    pub(super) fn pull(self) {
        for pinned in self.uses {
            // SAFETY: no pass has removed it, because its operand's only other users are those of a variable; it is not
            // used.
            unsafe { llvm::LLVMInstructionEraseFromParent(pinned) };
        }
    }
}
