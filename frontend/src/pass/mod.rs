//! The passes of LLVM that run before lowering: local variables whose address is not taken become registers, and
//! nothing else.
//!
//! Every other pass would change what is checked. SROA and instcombine delete accesses outside of a stack array and
//! loads of uninitialised memory; early-cse, gvn and dse merge or remove plain accesses that race; simplifycfg and loop
//! passes use undefined behaviour to drop branches and loops. mem2reg removes only accesses of variables that no other
//! thread, no pointer and no index can reach, all in bounds by construction. What it assumes of variables that are read
//! before they are written is taken back by [`undefined`], and [`taken`] keeps from it the variables whose address is
//! taken. Functions that call `setjmp` keep theirs in memory, and [`ending`] keeps there what leads to heap blocks when
//! the process ends.
#![allow(unsafe_code, reason = "calls of LLVM's C API")]
mod ending;
mod optnone;
mod pins;
mod pointers;
mod private;
mod taken;
mod undefined;

#[cfg(test)]
mod tests;

use crate::Error;
use inkwell::llvm_sys::error::{LLVMDisposeErrorMessage, LLVMGetErrorMessage};
use inkwell::llvm_sys::transforms::pass_builder as llvm;
use inkwell::module::Module;
use pins::Pins;
use std::ffi::{CStr, c_char};

pub(crate) use ending::MARK as POINTERS_IN_MEMORY;
pub(crate) use optnone::{OPTIMISED, mark_all};
pub(crate) use pointers::MARK as NUMBER_KEPT;

/// Runs the passes on the whole module. Returns in how many functions, because they were optimised, signed overflow is
/// not in sight.
pub(crate) fn run(module: &Module<'_>, unwritten_in_memory: bool) -> Result<usize, Error> {
    let mut pins = Pins::new(module);
    ending::pin(module, &mut pins);
    taken::pin(module, &mut pins);
    private::make_ordinary(module);
    if !unwritten_in_memory {
        pointers::convert(module);
    }
    let optimised = optnone::remove(module);
    optnone::mark_second_returns(module);
    let marks = undefined::mark(module);
    run_pipeline(module, c"function(mem2reg)")?;
    if unwritten_in_memory {
        marks.read_memory()
    } else {
        marks.replace()
    }
    pins.pull();
    Ok(optimised)
}

fn run_pipeline(module: &Module<'_>, passes: &CStr) -> Result<(), Error> {
    // SAFETY: the module is alive; the options and the error message are freed once; no target machine is allowed.
    unsafe {
        let options = llvm::LLVMCreatePassBuilderOptions();
        let error = llvm::LLVMRunPasses(module.as_mut_ptr(), passes.as_ptr(), std::ptr::null_mut(), options);
        llvm::LLVMDisposePassBuilderOptions(options);
        if error.is_null() {
            return Ok(());
        }
        let message: *mut c_char = LLVMGetErrorMessage(error);
        let reason = CStr::from_ptr(message).to_string_lossy().into_owned();
        LLVMDisposeErrorMessage(message);
        Err(Error::Pass { reason })
    }
}
