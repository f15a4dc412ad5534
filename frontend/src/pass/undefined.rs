//! Keeps reads of unwritten local variables in sight.
//!
//! mem2reg reads an unwritten variable as `undef`, and where such a path meets one that wrote a constant it takes that
//! constant for both: `int x; if (c) x = 1; if (x) …` becomes `if (1)`, and the use of an unwritten variable is gone.
//! So each variable is given a value that LLVM knows nothing about before mem2reg runs, where it comes into being and
//! wherever its life begins: in each turn of a loop, what it held in the turn before is gone. What is left of these
//! values afterwards becomes `undef`. No later pass sees it; the machine reports its use.
use inkwell::llvm_sys::LLVMOpcode;
use inkwell::llvm_sys::core as llvm;
use inkwell::llvm_sys::debuginfo::LLVMInstructionGetDebugLoc;
use inkwell::llvm_sys::prelude::{LLVMBuilderRef, LLVMContextRef, LLVMTypeRef, LLVMValueRef};
use inkwell::module::Module;
use std::marker::PhantomData;

/// The values that stand for "unwritten": volatile loads, which no pass removes or reasons about, and which never run.
pub(super) struct Marks<'m> {
    loads: Vec<LLVMValueRef>,
    module: PhantomData<&'m ()>,
}

/// Writes a mark into each variable that mem2reg will turn into registers, where it comes into being and where its life
/// begins.
pub(super) fn mark<'m>(module: &'m Module<'_>) -> Marks<'m> {
    let mut marks = Marks { loads: Vec::new(), module: PhantomData };
    // SAFETY: the module is alive, so are its functions, blocks and instructions; the list of variables is complete
    // before the first instruction is added.
    unsafe {
        let raw = module.as_mut_ptr();
        let context = llvm::LLVMGetModuleContext(raw);
        let builder = llvm::LLVMCreateBuilderInContext(context);
        let mut function = llvm::LLVMGetFirstFunction(raw);
        while !function.is_null() {
            for variable in promotable(function) {
                for begin in begins(variable) {
                    marks.loads.push(write(context, builder, variable, begin));
                }
            }
            function = llvm::LLVMGetNextFunction(function);
        }
        llvm::LLVMDisposeBuilder(builder);
    }
    marks
}

impl Marks<'_> {
    /// Has what is left of the marks read from places in memory that are never written.
    pub(super) fn read_memory(self) {
        for load in self.loads {
            // SAFETY: as below; a load ends no block, its operand is a pointer, and so is an alloca.
            unsafe {
                if llvm::LLVMGetFirstUse(load).is_null() {
                    llvm::LLVMInstructionEraseFromParent(load);
                    continue;
                }
                let builder = llvm::LLVMCreateBuilderInContext(llvm::LLVMGetTypeContext(llvm::LLVMTypeOf(load)));
                let block = llvm::LLVMGetInstructionParent(load);
                let entry = llvm::LLVMGetFirstBasicBlock(llvm::LLVMGetBasicBlockParent(block));
                llvm::LLVMPositionBuilderBefore(builder, llvm::LLVMGetFirstInstruction(entry));
                let place = llvm::LLVMBuildAlloca(builder, llvm::LLVMTypeOf(load), c"".as_ptr());
                llvm::LLVMDisposeBuilder(builder);
                llvm::LLVMSetOperand(load, 0, place);
                llvm::LLVMSetVolatile(load, 0);
            }
        }
    }

    /// Turns what is left of the marks into `undef`.
    pub(super) fn replace(self) {
        for load in self.loads {
            // SAFETY: passes do not remove volatile loads, so the instruction is still there; it is not used
            // afterwards.
            unsafe {
                llvm::LLVMReplaceAllUsesWith(load, llvm::LLVMGetUndef(llvm::LLVMTypeOf(load)));
                llvm::LLVMInstructionEraseFromParent(load);
            }
        }
    }
}

/// # Safety
/// `function` is alive.
unsafe fn promotable(function: LLVMValueRef) -> Vec<LLVMValueRef> {
    let mut variables = Vec::new();
    // SAFETY: walks the instructions of a block of a live function; null ends either walk.
    unsafe {
        // mem2reg looks at the entry block alone.
        let entry = llvm::LLVMGetFirstBasicBlock(function);
        let mut instruction = if entry.is_null() { std::ptr::null_mut() } else { llvm::LLVMGetFirstInstruction(entry) };
        while !instruction.is_null() {
            if llvm::LLVMGetInstructionOpcode(instruction) == LLVMOpcode::LLVMAlloca && is_promotable(instruction) {
                variables.push(instruction);
            }
            instruction = llvm::LLVMGetNextInstruction(instruction);
        }
    }
    variables
}

/// Whether mem2reg will take the variable: all of it is read and written, never volatile, and nothing else is done.
///
/// # Safety
/// `variable` is an alloca that is alive.
unsafe fn is_promotable(variable: LLVMValueRef) -> bool {
    // SAFETY: the users of an instruction are instructions; each is asked only for what its opcode has.
    unsafe {
        let whole: LLVMTypeRef = llvm::LLVMGetAllocatedType(variable);
        let mut read = false;
        let mut next = llvm::LLVMGetFirstUse(variable);
        while !next.is_null() {
            let user = llvm::LLVMGetUser(next);
            next = llvm::LLVMGetNextUse(next);
            let good = match llvm::LLVMGetInstructionOpcode(user) {
                LLVMOpcode::LLVMLoad => {
                    read = true;
                    llvm::LLVMTypeOf(user) == whole && llvm::LLVMGetVolatile(user) == 0
                }
                LLVMOpcode::LLVMStore => {
                    let value = llvm::LLVMGetOperand(user, 0);
                    value != variable && llvm::LLVMTypeOf(value) == whole && llvm::LLVMGetVolatile(user) == 0
                }
                LLVMOpcode::LLVMCall => calls(user, b"llvm.lifetime."),
                _ => false,
            };
            if !good {
                return false;
            }
        }
        // A variable that is never read has nothing to lose.
        read
    }
}

/// The instructions after which a variable holds nothing that was written: itself, and where its life begins.
///
/// # Safety
/// `variable` is an alloca that is alive, and mem2reg will take it.
unsafe fn begins(variable: LLVMValueRef) -> Vec<LLVMValueRef> {
    let mut all = vec![variable];
    // SAFETY: as in `is_promotable`.
    unsafe {
        let mut next = llvm::LLVMGetFirstUse(variable);
        while !next.is_null() {
            let user = llvm::LLVMGetUser(next);
            next = llvm::LLVMGetNextUse(next);
            if llvm::LLVMGetInstructionOpcode(user) == LLVMOpcode::LLVMCall && calls(user, b"llvm.lifetime.start") {
                all.push(user);
            }
        }
    }
    all
}

/// Whether a function is called whose name begins so.
///
/// # Safety
/// `call` is a call that is alive.
pub(super) unsafe fn calls(call: LLVMValueRef, begin: &[u8]) -> bool {
    // SAFETY: a called value is alive as long as the call; a name is `length` bytes long.
    unsafe {
        let callee = llvm::LLVMGetCalledValue(call);
        if llvm::LLVMIsAFunction(callee).is_null() {
            return false;
        }
        let mut length = 0;
        let name = llvm::LLVMGetValueName2(callee, &mut length);
        std::slice::from_raw_parts(name as *const u8, length).starts_with(begin)
    }
}

/// # Safety
/// `variable` is an alloca that is alive, `begin` that or a call in the same function; the builder belongs to the
/// context.
unsafe fn write(
    context: LLVMContextRef,
    builder: LLVMBuilderRef,
    variable: LLVMValueRef,
    begin: LLVMValueRef,
) -> LLVMValueRef {
    // SAFETY: allocas and calls end no block, so that there is a next instruction to build before.
    unsafe {
        llvm::LLVMPositionBuilderBefore(builder, llvm::LLVMGetNextInstruction(begin));
        llvm::LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(begin));
        let nowhere = llvm::LLVMConstNull(llvm::LLVMPointerTypeInContext(context, 0));
        let mark = llvm::LLVMBuildLoad2(builder, llvm::LLVMGetAllocatedType(variable), nowhere, c"".as_ptr());
        llvm::LLVMSetVolatile(mark, 1);
        llvm::LLVMBuildStore(builder, mark, variable);
        mark
    }
}
