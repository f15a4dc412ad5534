//! The few calls of LLVM's C API that inkwell lacks or that it makes unsafe, as safe functions.
#![allow(unsafe_code, reason = "calls of LLVM's C API")]
use inkwell::context::Context;
use inkwell::llvm_sys::core as llvm;
use inkwell::llvm_sys::prelude::{LLVMDiagnosticInfoRef, LLVMValueRef};
use inkwell::llvm_sys::{LLVMDiagnosticSeverity, LLVMLinkage, target};
use inkwell::module::Module;
use std::cell::RefCell;
use std::ffi::{CStr, CString, c_char, c_void};

/// The errors and warnings of LLVM that are no return values. Without it LLVM prints warnings, and ends the process on
/// errors.
pub(super) struct Diagnostics<'ctx> {
    context: &'ctx Context,
    /// Boxed, since LLVM holds its address.
    texts: Box<RefCell<Texts>>,
}

#[derive(Default)]
struct Texts {
    errors: Vec<String>,
    warnings: Vec<String>,
}

impl<'ctx> Diagnostics<'ctx> {
    /// Collects from now on, until dropped.
    pub(super) fn collect(context: &'ctx Context) -> Self {
        let texts = Box::new(RefCell::new(Texts::default()));
        let place: *const RefCell<Texts> = &*texts;
        // SAFETY: the handler is removed when `self` is dropped, before the box is freed, and `context` outlives
        // `self`.
        unsafe { llvm::LLVMContextSetDiagnosticHandler(context.raw(), Some(collect), place as *mut c_void) };
        Diagnostics { context, texts }
    }

    /// The errors since the last call.
    pub(super) fn take_errors(&self) -> Vec<String> {
        std::mem::take(&mut self.texts.borrow_mut().errors)
    }

    /// The warnings since the last call.
    pub(super) fn take_warnings(&self) -> Vec<String> {
        std::mem::take(&mut self.texts.borrow_mut().warnings)
    }
}

impl Drop for Diagnostics<'_> {
    fn drop(&mut self) {
        // SAFETY: the context is alive; no handler is LLVM's default.
        unsafe { llvm::LLVMContextSetDiagnosticHandler(self.context.raw(), None, std::ptr::null_mut()) };
    }
}

extern "C" fn collect(diagnostic: LLVMDiagnosticInfoRef, place: *mut c_void) {
    // SAFETY: LLVM passes the place given with the handler, which is alive (see `Diagnostics::collect`), a live
    // diagnostic, and the message is a C string that we must free.
    unsafe {
        let texts = &*(place as *const RefCell<Texts>);
        let message = llvm::LLVMGetDiagInfoDescription(diagnostic);
        let text = text_of(message);
        llvm::LLVMDisposeMessage(message);
        match llvm::LLVMGetDiagInfoSeverity(diagnostic) {
            LLVMDiagnosticSeverity::LLVMDSError => texts.borrow_mut().errors.push(text),
            LLVMDiagnosticSeverity::LLVMDSWarning => texts.borrow_mut().warnings.push(text),
            LLVMDiagnosticSeverity::LLVMDSRemark | LLVMDiagnosticSeverity::LLVMDSNote => {}
        }
    }
}

/// # Safety
/// `text` is null or a C string that stays alive during the call.
unsafe fn text_of(text: *const c_char) -> String {
    if text.is_null() {
        return String::new();
    }
    // SAFETY: the caller's promise.
    unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned()
}

/// Moves everything from `from` into `into`; the reason for a failure is in the context's [`Diagnostics`], and `into`
/// is then of no further use. inkwell's function for it leaves a handler behind that points into its dead frame.
pub(super) fn link<'ctx>(into: &Module<'ctx>, from: Module<'ctx>) -> bool {
    let source = from.as_mut_ptr();
    std::mem::forget(from);
    // SAFETY: both modules live in one context, and LLVM takes ownership of `source`, which is freed nowhere else now.
    unsafe { inkwell::llvm_sys::linker::LLVMLinkModules2(into.as_mut_ptr(), source) == 0 }
}

/// Debug information of variables as calls of `llvm.dbg.*`: LLVM 19's C API cannot list the newer debug records.
pub(super) fn use_debug_calls(module: &Module<'_>) {
    // SAFETY: the module is alive; the conversion is LLVM's own.
    unsafe { llvm::LLVMSetIsNewDbgInfoFormat(module.as_mut_ptr(), 0) };
}

/// The target that a module was made for.
pub(super) struct Target {
    /// Target triple; may be empty in IR written by hand.
    pub(super) triple: String,
    /// Data layout; may be empty in IR written by hand.
    pub(super) layout: String,
    /// Bits of a pointer.
    pub(super) pointer_bits: u64,
    /// Whether the least significant byte comes first.
    pub(super) little_endian: bool,
}

impl Target {
    /// Reads it from the module.
    pub(super) fn of(module: &Module<'_>) -> Target {
        // SAFETY: the module is alive, its strings and its data layout live as long.
        unsafe {
            let raw = module.as_mut_ptr();
            let data = target::LLVMGetModuleDataLayout(raw);
            Target {
                triple: text_of(llvm::LLVMGetTarget(raw)),
                layout: text_of(llvm::LLVMGetDataLayoutStr(raw)),
                pointer_bits: 8 * u64::from(target::LLVMPointerSize(data)),
                little_endian: matches!(target::LLVMByteOrder(data), target::LLVMByteOrdering::LLVMLittleEndian),
            }
        }
    }
}

/// Sets target triple and data layout.
pub(super) fn set_target(module: &Module<'_>, triple: &CStr, layout: &CStr) {
    // SAFETY: the module is alive; LLVM copies both strings.
    unsafe {
        llvm::LLVMSetTarget(module.as_mut_ptr(), triple.as_ptr());
        llvm::LLVMSetDataLayout(module.as_mut_ptr(), layout.as_ptr());
    }
}

/// Names of the functions, variables and aliases that no other module may define again.
pub(super) fn strong_definitions(module: &Module<'_>) -> Vec<String> {
    names(module, |linkage, declaration| matches!(linkage, LLVMLinkage::LLVMExternalLinkage) && !declaration)
}

/// Names of what the module defines for others to use.
pub(super) fn definitions(module: &Module<'_>) -> Vec<String> {
    use LLVMLinkage::{LLVMAvailableExternallyLinkage, LLVMInternalLinkage, LLVMPrivateLinkage};
    let own = |linkage| matches!(linkage, LLVMInternalLinkage | LLVMPrivateLinkage | LLVMAvailableExternallyLinkage);
    names(module, |linkage, declaration| !declaration && !own(linkage))
}

/// Names of what the module uses and others must define; weak references need no definition.
pub(super) fn needs(module: &Module<'_>) -> Vec<String> {
    names(module, |linkage, declaration| declaration && matches!(linkage, LLVMLinkage::LLVMExternalLinkage))
}

/// Names of the global values with a certain linkage, of which it matters whether they are declarations.
fn names(module: &Module<'_>, wanted: impl Fn(LLVMLinkage, bool) -> bool) -> Vec<String> {
    let mut names = Vec::new();
    let add = |value: LLVMValueRef| {
        // SAFETY: `value` is a live global value; its name is `length` bytes long.
        unsafe {
            if wanted(llvm::LLVMGetLinkage(value), llvm::LLVMIsDeclaration(value) != 0) {
                let mut length = 0;
                let name = llvm::LLVMGetValueName2(value, &mut length);
                let name = std::slice::from_raw_parts(name as *const u8, length);
                names.push(String::from_utf8_lossy(name).into_owned());
            }
        }
    };
    global_values(module, add);
    names
}

/// Goes through all functions, variables and aliases of a module.
fn global_values(module: &Module<'_>, mut each: impl FnMut(LLVMValueRef)) {
    // SAFETY: the module is alive, and each call returns null or the next global value of its kind.
    unsafe {
        let raw = module.as_mut_ptr();
        let mut value = llvm::LLVMGetFirstFunction(raw);
        while !value.is_null() {
            each(value);
            value = llvm::LLVMGetNextFunction(value);
        }
        let mut value = llvm::LLVMGetFirstGlobal(raw);
        while !value.is_null() {
            each(value);
            value = llvm::LLVMGetNextGlobal(value);
        }
        let mut value = llvm::LLVMGetFirstGlobalAlias(raw);
        while !value.is_null() {
            each(value);
            value = llvm::LLVMGetNextGlobalAlias(value);
        }
    }
}

/// Gives a module the target of another one.
pub(super) fn take_target(module: &Module<'_>, from: &Module<'_>) {
    // SAFETY: both modules are alive; LLVM copies both strings.
    unsafe {
        llvm::LLVMSetTarget(module.as_mut_ptr(), llvm::LLVMGetTarget(from.as_mut_ptr()));
        llvm::LLVMSetDataLayout(module.as_mut_ptr(), llvm::LLVMGetDataLayoutStr(from.as_mut_ptr()));
    }
}

/// Makes every definition of a module one that linking takes only if it is used. Functions that are taken elsewhere
/// become private to the module.
pub(super) fn make_discardable(module: &Module<'_>, taken: impl Fn(&str) -> bool) {
    let discardable = |value: LLVMValueRef| {
        // SAFETY: `value` is a live global value; its name is `length` bytes long.
        unsafe {
            if !matches!(llvm::LLVMGetLinkage(value), LLVMLinkage::LLVMExternalLinkage)
                || llvm::LLVMIsDeclaration(value) != 0
            {
                return;
            }
            let mut length = 0;
            let name = llvm::LLVMGetValueName2(value, &mut length);
            let name = String::from_utf8_lossy(std::slice::from_raw_parts(name as *const u8, length));
            llvm::LLVMSetLinkage(
                value,
                if taken(&name) { LLVMLinkage::LLVMInternalLinkage } else { LLVMLinkage::LLVMLinkOnceAnyLinkage },
            );
        }
    };
    global_values(module, discardable);
}

/// Whether the module declares a function or variable of that name and does not define it.
pub(super) fn lacks(module: &Module<'_>, name: &str) -> bool {
    let Ok(name) = CString::new(name) else { return false };
    // SAFETY: the module is alive; LLVM copies nothing and returns null or a live value.
    unsafe {
        let function = llvm::LLVMGetNamedFunction(module.as_mut_ptr(), name.as_ptr());
        let variable = llvm::LLVMGetNamedGlobal(module.as_mut_ptr(), name.as_ptr());
        [function, variable].into_iter().any(|value| !value.is_null() && llvm::LLVMIsDeclaration(value) != 0)
    }
}

/// Whether the module defines a function (or an alias) of that name.
pub(super) fn defines(module: &Module<'_>, name: &str) -> bool {
    let Ok(c_name) = CString::new(name) else { return false };
    // SAFETY: the module is alive; LLVM copies nothing and returns null or a live value.
    unsafe {
        let function = llvm::LLVMGetNamedFunction(module.as_mut_ptr(), c_name.as_ptr());
        let alias = llvm::LLVMGetNamedGlobalAlias(module.as_mut_ptr(), c_name.as_ptr(), name.len());
        !alias.is_null() || (!function.is_null() && llvm::LLVMIsDeclaration(function) == 0)
    }
}
