//! What an atomic operation on a pointer returns is a number to clang, which it stores to a variable for a pointer and
//! loads from there. mem2reg makes no register of such a variable. So the number is made a pointer before it is stored.
//! (Not where what was never written may be anything: what is loaded from the variable is some value then, and a
//! register has none.)
use super::undefined::calls;
use inkwell::llvm_sys::core as llvm;
use inkwell::llvm_sys::prelude::{LLVMTypeRef, LLVMValueRef};
use inkwell::llvm_sys::{LLVMAtomicOrdering, LLVMOpcode, LLVMTypeKind, target};
use inkwell::module::Module;
use inkwell::values::{AsValueRef, InstructionOpcode};

/// The name of such a conversion begins so.
pub(crate) const MARK: &std::ffi::CStr = c"verify.pointer";

/// Does that for all variables from which only pointers are loaded.
pub(super) fn convert(module: &Module<'_>) {
    // SAFETY: the module is alive, and so are its layout, its context, its functions and their instructions. Each is
    // asked only for what its opcode has. The stores are all found before the first instruction is added.
    unsafe {
        let raw = module.as_mut_ptr();
        let bits = 8 * target::LLVMPointerSize(target::LLVMGetModuleDataLayout(raw));
        let builder = llvm::LLVMCreateBuilderInContext(llvm::LLVMGetModuleContext(raw));
        for function in module.get_functions() {
            let entry = function.get_first_basic_block().into_iter().flat_map(|block| block.get_instructions());
            let variables = entry.filter(|inst| inst.get_opcode() == InstructionOpcode::Alloca);
            let stores: Vec<_> = variables.filter_map(|variable| numbers(variable.as_value_ref(), bits)).collect();
            for (ty, store) in stores.into_iter().flat_map(|(ty, stores)| stores.into_iter().map(move |s| (ty, s))) {
                llvm::LLVMPositionBuilderBefore(builder, store);
                let number = llvm::LLVMGetOperand(store, 0);
                llvm::LLVMSetOperand(store, 0, llvm::LLVMBuildIntToPtr(builder, number, ty, MARK.as_ptr()));
            }
        }
        llvm::LLVMDisposeBuilder(builder);
    }
}

/// The type of a variable for a pointer, and what stores numbers of as many bits to it; `None` if anything else is done
/// with it than such stores and loads of pointers.
///
/// # Safety
/// `variable` is an alloca that is alive.
unsafe fn numbers(variable: LLVMValueRef, bits: u32) -> Option<(LLVMTypeRef, Vec<LLVMValueRef>)> {
    // SAFETY: the users of a live instruction are instructions, and alive; each is asked only for what its opcode has.
    unsafe {
        let ty = llvm::LLVMGetAllocatedType(variable);
        if llvm::LLVMGetTypeKind(ty) != LLVMTypeKind::LLVMPointerTypeKind {
            return None;
        }
        let is_plain = |access| {
            llvm::LLVMGetVolatile(access) == 0
                && llvm::LLVMGetOrdering(access) == LLVMAtomicOrdering::LLVMAtomicOrderingNotAtomic
        };
        let mut stores = Vec::new();
        let mut next = llvm::LLVMGetFirstUse(variable);
        while !next.is_null() {
            let user = llvm::LLVMGetUser(next);
            next = llvm::LLVMGetNextUse(next);
            match llvm::LLVMGetInstructionOpcode(user) {
                LLVMOpcode::LLVMLoad if is_plain(user) && llvm::LLVMTypeOf(user) == ty => {}
                LLVMOpcode::LLVMStore if is_plain(user) && llvm::LLVMGetOperand(user, 0) != variable => {
                    let stored = llvm::LLVMTypeOf(llvm::LLVMGetOperand(user, 0));
                    let is_number = llvm::LLVMGetTypeKind(stored) == LLVMTypeKind::LLVMIntegerTypeKind
                        && llvm::LLVMGetIntTypeWidth(stored) == bits;
                    match is_number {
                        true => stores.push(user),
                        false if stored == ty => {}
                        false => return None,
                    }
                }
                LLVMOpcode::LLVMCall if calls(user, b"llvm.lifetime.") => {}
                _ => return None,
            }
        }
        (!stores.is_empty()).then_some((ty, stores))
    }
}
