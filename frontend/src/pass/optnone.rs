//! Functions that were compiled at -O0, and others.
//!
//! clang -O0 marks functions as not to be optimised, which would also keep our own pass off. The mark tells more: what
//! an optimiser has touched may compute ahead of time what the program may never use, so that an overflow that the
//! instruction declares impossible (`nsw`) is no overflow of the program. Only marked functions keep these flags, and
//! the others that declare results impossible.
use inkwell::attributes::{Attribute, AttributeLoc};
use inkwell::llvm_sys::LLVMOpcode;
use inkwell::llvm_sys::core as llvm;
use inkwell::llvm_sys::prelude::LLVMValueRef;
use inkwell::module::Module;
use inkwell::values::{AsValueRef, FunctionValue};

/// The attribute of functions whose instructions may declare what only an optimiser knows.
pub(crate) const OPTIMISED: &str = "verify-optimised";

/// Marks all functions of a module that no pass of LLVM's has been over. At -O0 clang leaves out those that are to be
/// inlined always, and small ones.
pub(crate) fn mark_all(module: &Module<'_>) {
    let context = module.get_context();
    let id = Attribute::get_named_enum_kind_id;
    for function in module.get_functions().filter(|function| function.count_basic_blocks() > 0) {
        // None of these may stand beside the mark.
        for other in ["alwaysinline", "minsize", "optsize"] {
            function.remove_enum_attribute(AttributeLoc::Function, id(other));
        }
        for mark in ["optnone", "noinline"] {
            function.add_attribute(AttributeLoc::Function, context.create_enum_attribute(id(mark), 0));
        }
    }
}

/// Marks functions that call `setjmp` or its like as not to be optimised: what their variables hold when it returns for
/// the second time is what memory holds, not what a register held the first time.
pub(super) fn mark_second_returns(module: &Module<'_>) {
    let id = Attribute::get_named_enum_kind_id;
    let marks = ["optnone", "noinline"].map(|name| module.get_context().create_enum_attribute(id(name), 0));
    let twice = id("returns_twice");
    for callee in module.get_functions().filter(|f| f.get_enum_attribute(AttributeLoc::Function, twice).is_some()) {
        for caller in callers(callee) {
            marks.iter().for_each(|mark| caller.add_attribute(AttributeLoc::Function, *mark));
        }
    }
}

/// What uses a function directly.
pub(super) fn users(function: FunctionValue<'_>) -> Vec<LLVMValueRef> {
    let mut users = Vec::new();
    // SAFETY: the function is alive, and so is every user of it.
    unsafe {
        let mut next = llvm::LLVMGetFirstUse(function.as_value_ref());
        while !next.is_null() {
            users.push(llvm::LLVMGetUser(next));
            next = llvm::LLVMGetNextUse(next);
        }
    }
    users
}

/// The functions with an instruction that uses a function directly.
pub(super) fn callers(callee: FunctionValue<'_>) -> Vec<FunctionValue<'_>> {
    let instructions = users(callee).into_iter();
    // SAFETY: users are alive; an instruction is part of a block of a function.
    let callers = instructions.filter_map(|user| unsafe {
        let inside = !llvm::LLVMIsAInstruction(user).is_null();
        inside
            .then(|| FunctionValue::new(llvm::LLVMGetBasicBlockParent(llvm::LLVMGetInstructionParent(user))))
            .flatten()
    });
    callers.collect()
}

/// Whether a function has the mark.
pub(super) fn is_untouched(function: FunctionValue<'_>) -> bool {
    let optnone = Attribute::get_named_enum_kind_id("optnone");
    function.get_enum_attribute(AttributeLoc::Function, optnone).is_some()
}

/// Removes the marks. Functions without one lose their declarations that signed arithmetic does not overflow; returns
/// how many had any.
pub(super) fn remove(module: &Module<'_>) -> usize {
    let optnone = Attribute::get_named_enum_kind_id("optnone");
    let mark = module.get_context().create_string_attribute(OPTIMISED, "");
    let mut optimised = 0;
    for function in module.get_functions().filter(|function| function.count_basic_blocks() > 0) {
        if is_untouched(function) {
            function.remove_enum_attribute(AttributeLoc::Function, optnone);
            continue;
        }
        // What is declared of floating point cannot be taken away from the instructions.
        function.add_attribute(AttributeLoc::Function, mark);
        optimised += usize::from(forget_overflow(function));
    }
    optimised
}

fn forget_overflow(function: FunctionValue<'_>) -> bool {
    let mut any = false;
    for block in function.get_basic_blocks() {
        let mut next = block.get_first_instruction();
        while let Some(instruction) = next {
            next = instruction.get_next_instruction();
            let raw = instruction.as_value_ref();
            use LLVMOpcode::*;
            // SAFETY: the instruction is alive; each flag exists for these kinds.
            unsafe {
                match llvm::LLVMGetInstructionOpcode(raw) {
                    LLVMAdd | LLVMSub | LLVMMul | LLVMShl => {
                        any |= llvm::LLVMGetNSW(raw) != 0;
                        llvm::LLVMSetNSW(raw, 0);
                        llvm::LLVMSetNUW(raw, 0);
                    }
                    LLVMTrunc => {
                        llvm::LLVMSetNSW(raw, 0);
                        llvm::LLVMSetNUW(raw, 0);
                    }
                    LLVMUDiv | LLVMSDiv | LLVMLShr | LLVMAShr => llvm::LLVMSetExact(raw, 0),
                    LLVMZExt | LLVMUIToFP => llvm::LLVMSetNNeg(raw, 0),
                    LLVMOr => llvm::LLVMSetIsDisjoint(raw, 0),
                    _ => {}
                }
            }
        }
    }
    any
}
