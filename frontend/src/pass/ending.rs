//! Keeps in memory what may hold a pointer when the process ends.
//!
//! A process that ends by `exit` leaves the variables of all functions that have not returned as they are, and a heap
//! block to which one of them leads is not lost. A register whose variable is not read again holds what chance left
//! there: its place is another value's by then, or the variable was overwritten and the register was not. So in
//! functions from which `exit` may be reached, the variables with room for a pointer stay in memory, where each holds
//! what the program gave it.
//!
//! From a function `exit` may be reached if it mentions `exit`, a relative of it, or another function from which it may
//! be reached. If such a function is mentioned elsewhere than as what is called, it may be called wherever a pointer
//! is.
use super::optnone::{callers, is_untouched, users};
use super::pins::Pins;
use inkwell::attributes::AttributeLoc;
use inkwell::llvm_sys::core as llvm;
use inkwell::llvm_sys::prelude::LLVMValueRef;
use inkwell::llvm_sys::{LLVMOpcode, LLVMTypeKind, target};
use inkwell::module::Module;
use inkwell::values::{AsValueRef, FunctionValue, InstructionValue};

/// The attribute of the functions in which every variable that holds a pointer does so in memory.
pub(crate) const MARK: &str = "verify-pointers-in-memory";

/// What ends the process and leaves the variables alone.
const ENDS: [&str; 4] = ["exit", "_exit", "_Exit", "quick_exit"];

/// Pins the variables of all functions from which the end may be reached, and gives these functions the attribute.
pub(super) fn pin<'m>(module: &'m Module<'_>, pins: &mut Pins<'m>) {
    let mark = module.get_context().create_string_attribute(MARK, "");
    let pointer_bits = pointer_bits(module);
    // What an optimiser has been over has no variables any more.
    for function in reaching(module).into_iter().filter(|function| is_untouched(*function)) {
        function.add_attribute(AttributeLoc::Function, mark);
        let entry = function.get_first_basic_block().into_iter().flat_map(|block| block.get_instructions());
        for variable in entry.filter(|inst| holds_a_pointer(*inst, pointer_bits)).collect::<Vec<_>>() {
            pins.add(variable);
        }
    }
}

/// The functions with code from which the end of the process may be reached.
fn reaching<'ctx>(module: &Module<'ctx>) -> Vec<FunctionValue<'ctx>> {
    let mut found: Vec<FunctionValue<'ctx>> = ENDS.iter().filter_map(|name| module.get_function(name)).collect();
    let mut next = 0;
    let mut through_pointers = false;
    while let Some(&function) = found.get(next) {
        next += 1;
        let mut more = callers(function);
        if !through_pointers && is_mentioned(function) {
            through_pointers = true;
            more.extend(module.get_functions().filter(|function| calls_a_pointer(*function)));
        }
        for caller in more {
            if !found.contains(&caller) {
                found.push(caller);
            }
        }
    }
    found.retain(|function| function.count_basic_blocks() > 0);
    found
}

/// Whether it is used in any other way than to be called.
fn is_mentioned(function: FunctionValue<'_>) -> bool {
    let value = function.as_value_ref();
    // SAFETY: the users of a live function are alive; an operand is asked for only where there is one.
    users(function).into_iter().any(|user| unsafe {
        let last = llvm::LLVMGetNumOperands(user) - 1;
        // The last operand of a call is what is called; it may be an argument as well.
        !is_call(user) || (0..last).any(|index| llvm::LLVMGetOperand(user, index as u32) == value)
    })
}

/// Whether it calls something else than a function that is named.
fn calls_a_pointer(function: FunctionValue<'_>) -> bool {
    function.get_basic_block_iter().flat_map(|block| block.get_instructions()).any(|inst| {
        let raw = inst.as_value_ref();
        // SAFETY: only calls are asked for what they call, which is alive as long as they are.
        unsafe { is_call(raw) && llvm::LLVMIsAFunction(llvm::LLVMGetCalledValue(raw)).is_null() }
    })
}

/// # Safety
/// The value is alive.
unsafe fn is_call(value: LLVMValueRef) -> bool {
    // SAFETY: by what this function asks for.
    unsafe { !llvm::LLVMIsACallInst(value).is_null() }
}

fn pointer_bits(module: &Module<'_>) -> u32 {
    // SAFETY: the module is alive, and its layout lives as long.
    unsafe { 8 * target::LLVMPointerSize(target::LLVMGetModuleDataLayout(module.as_mut_ptr())) }
}

/// Whether the instruction makes a variable that could become a register and hold a pointer there.
fn holds_a_pointer(inst: InstructionValue<'_>, pointer_bits: u32) -> bool {
    let raw = inst.as_value_ref();
    // SAFETY: only an alloca is asked for its type, only an integer for its width.
    unsafe {
        if llvm::LLVMGetInstructionOpcode(raw) != LLVMOpcode::LLVMAlloca {
            return false;
        }
        let ty = llvm::LLVMGetAllocatedType(raw);
        match llvm::LLVMGetTypeKind(ty) {
            LLVMTypeKind::LLVMPointerTypeKind => true,
            LLVMTypeKind::LLVMIntegerTypeKind => llvm::LLVMGetIntTypeWidth(ty) >= pointer_bits,
            _ => false,
        }
    }
}
