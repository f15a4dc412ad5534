//! Safe, small handles around what we read of LLVM's C interface; the only place of the lowering with `unsafe`.
//!
//! # Safety
//! A handle is a pointer into a module that [`super::lower`] borrows for as long as any handle lives, and handles do
//! not leave `lower`. Nothing is deleted from the module meanwhile. Each getter is called only on values of the kind
//! that it is made for: either LLVM checks it itself, or the wrapper does so before the call.
#![allow(unsafe_code, reason = "the C interface of LLVM has no other form; see the module documentation")]
use llvm_sys::core::*;
use llvm_sys::prelude::*;
use llvm_sys::target::*;
pub(super) use llvm_sys::{
    LLVMAtomicOrdering, LLVMAtomicRMWBinOp, LLVMIntPredicate, LLVMOpcode, LLVMRealPredicate, LLVMTypeKind as TypeKind,
};
use llvm_sys::{LLVMLinkage, LLVMThreadLocalMode, LLVMValueKind};
use std::os::raw::c_char;

/// Calls a getter of the C interface.
macro_rules! get {
    ($function:ident($($argument:expr),*)) => {{
        // SAFETY: see the module documentation.
        unsafe { $function($($argument),*) }
    }};
}

mod debug;
mod instruction;
mod types;
pub(super) use debug::{DebugType, Meta, MetaContext};
pub(super) use types::{Layout, Type};

/// A value: constant, argument, instruction, global, …
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Value(LLVMValueRef);

/// A basic block.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Block(LLVMBasicBlockRef);

/// A module.
#[derive(Clone, Copy)]
pub(super) struct Program(LLVMModuleRef);

/// What a [`Value`] is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    Instruction,
    Argument,
    Int,
    Float,
    Null,
    Undef,
    /// All-zero aggregate or vector.
    Zero,
    /// Array, struct or vector with elements.
    Aggregate,
    Expression,
    Function,
    Global,
    Alias,
    IFunc,
    BlockAddress,
    InlineAsm,
    Metadata,
    /// Nothing that code for our targets contains.
    Other,
}

fn string(text: *const c_char, length: usize) -> String {
    if text.is_null() || length == 0 {
        return String::new();
    }
    // SAFETY: LLVM says that `length` bytes lie there, and they live as long as the module.
    let bytes = unsafe { std::slice::from_raw_parts(text.cast::<u8>(), length) };
    String::from_utf8_lossy(bytes).into_owned()
}

/// A handle, or none for a null pointer.
fn value(v: LLVMValueRef) -> Option<Value> {
    (!v.is_null()).then_some(Value(v))
}

impl Program {
    /// The module, with its debug records turned into calls that can be read. That changes no code.
    pub(super) fn new(module: &inkwell::module::Module<'_>) -> Self {
        let module = module.as_mut_ptr();
        get!(LLVMSetIsNewDbgInfoFormat(module, 0));
        Program(module)
    }

    pub(super) fn layout(self) -> Layout {
        Layout::new(get!(LLVMGetModuleDataLayout(self.0)))
    }

    pub(super) fn triple(self) -> String {
        let text = get!(LLVMGetTarget(self.0));
        if text.is_null() {
            return String::new();
        }
        // SAFETY: a C string owned by the module.
        unsafe { std::ffi::CStr::from_ptr(text) }.to_string_lossy().into_owned()
    }

    pub(super) fn functions(self) -> impl Iterator<Item = Value> {
        std::iter::successors(value(get!(LLVMGetFirstFunction(self.0))), |f| value(get!(LLVMGetNextFunction(f.0))))
    }

    pub(super) fn globals(self) -> impl Iterator<Item = Value> {
        std::iter::successors(value(get!(LLVMGetFirstGlobal(self.0))), |g| value(get!(LLVMGetNextGlobal(g.0))))
    }

    pub(super) fn ifuncs(self) -> impl Iterator<Item = Value> {
        std::iter::successors(value(get!(LLVMGetFirstGlobalIFunc(self.0))), |g| {
            value(get!(LLVMGetNextGlobalIFunc(g.0)))
        })
    }
}

impl Value {
    pub(super) fn kind(self) -> Kind {
        use LLVMValueKind::*;
        match get!(LLVMGetValueKind(self.0)) {
            // `no_cfi` and `dso_local_equivalent` constants are reported as instructions.
            LLVMInstructionValueKind if get!(LLVMIsConstant(self.0)) != 0 => Kind::Other,
            LLVMInstructionValueKind => Kind::Instruction,
            LLVMArgumentValueKind => Kind::Argument,
            LLVMConstantIntValueKind => Kind::Int,
            LLVMConstantFPValueKind => Kind::Float,
            LLVMConstantPointerNullValueKind => Kind::Null,
            LLVMUndefValueValueKind | LLVMPoisonValueKind => Kind::Undef,
            LLVMConstantAggregateZeroValueKind => Kind::Zero,
            LLVMConstantDataArrayValueKind
            | LLVMConstantDataVectorValueKind
            | LLVMConstantArrayValueKind
            | LLVMConstantStructValueKind
            | LLVMConstantVectorValueKind => Kind::Aggregate,
            LLVMConstantExprValueKind => Kind::Expression,
            LLVMFunctionValueKind => Kind::Function,
            LLVMGlobalVariableValueKind => Kind::Global,
            LLVMGlobalAliasValueKind => Kind::Alias,
            LLVMGlobalIFuncValueKind => Kind::IFunc,
            LLVMBlockAddressValueKind => Kind::BlockAddress,
            LLVMInlineAsmValueKind => Kind::InlineAsm,
            LLVMMetadataAsValueValueKind => Kind::Metadata,
            _ => Kind::Other,
        }
    }

    pub(super) fn is_constant(self) -> bool {
        get!(LLVMIsConstant(self.0)) != 0
    }

    pub(super) fn ty(self) -> Type {
        Type::new(get!(LLVMTypeOf(self.0)))
    }

    /// The linkage name, without the byte that switches mangling off.
    pub(super) fn name(self) -> String {
        let mut length = 0;
        let text = get!(LLVMGetValueName2(self.0, &mut length));
        let name = string(text, length);
        match name.strip_prefix('\u{1}') {
            Some(rest) => rest.to_string(),
            None => name,
        }
    }

    /// LLVM's text of the value, for messages.
    pub(super) fn text(self) -> String {
        let text = get!(LLVMPrintValueToString(self.0));
        // SAFETY: LLVM made a C string for us; it is freed once.
        unsafe {
            let owned = std::ffi::CStr::from_ptr(text).to_string_lossy().trim().to_string();
            LLVMDisposeMessage(text);
            owned
        }
    }

    pub(super) fn users(self) -> impl Iterator<Item = Value> {
        let first = get!(LLVMGetFirstUse(self.0));
        std::iter::successors((!first.is_null()).then_some(first), |u| {
            let next = get!(LLVMGetNextUse(*u));
            (!next.is_null()).then_some(next)
        })
        .map(|u| Value(get!(LLVMGetUser(u))))
    }

    pub(super) fn is_used(self) -> bool {
        !get!(LLVMGetFirstUse(self.0)).is_null()
    }

    /// Its only user, if it has exactly one use.
    pub(super) fn single_user(self) -> Option<Value> {
        let mut users = self.users();
        let first = users.next()?;
        users.next().is_none().then_some(first)
    }

    pub(super) fn operands(self) -> u32 {
        get!(LLVMGetNumOperands(self.0)).cast_unsigned()
    }

    pub(super) fn operand(self, index: u32) -> Value {
        assert!(index < self.operands(), "operand {index} of {}", self.text());
        Value(get!(LLVMGetOperand(self.0, index)))
    }

    // --- constants ---

    /// The words of an integer or floating-point constant, lowest first. The C interface reads 64 bits only and no
    /// floating-point bits at all; LLVM's constant folder gives us the rest.
    pub(super) fn words(self, layout: Layout) -> Vec<u64> {
        let bits = layout.bits(self.ty());
        let context = get!(LLVMGetTypeContext(LLVMTypeOf(self.0)));
        let int = match self.kind() {
            Kind::Float => {
                get!(LLVMConstBitCast(self.0, LLVMIntTypeInContext(context, bits as u32)))
            }
            kind => {
                assert_eq!(kind, Kind::Int, "not a number: {}", self.text());
                self.0
            }
        };
        if bits <= 64 {
            return vec![get!(LLVMConstIntGetZExtValue(int))];
        }
        // SAFETY: the builder is used without a position, where it can only fold constants, and is disposed of once.
        unsafe {
            let builder = LLVMCreateBuilderInContext(context);
            let word = LLVMInt64TypeInContext(context);
            let words = (0..bits.div_ceil(64))
                .map(|i| {
                    let amount = LLVMConstInt(LLVMTypeOf(int), i * 64, 0);
                    let shifted = LLVMBuildLShr(builder, int, amount, c"".as_ptr());
                    let low = LLVMBuildTrunc(builder, shifted, word, c"".as_ptr());
                    assert!(!LLVMIsAConstantInt(low).is_null(), "constant was not folded");
                    LLVMConstIntGetZExtValue(low)
                })
                .collect();
            LLVMDisposeBuilder(builder);
            words
        }
    }

    /// A constant integer.
    pub(super) fn is_number(self) -> bool {
        self.kind() == Kind::Int
    }

    /// An integer constant of up to 64 bits, zero-extended.
    pub(super) fn as_u64(self) -> Option<u64> {
        (self.kind() == Kind::Int && self.ty().int_bits() <= 64).then(|| get!(LLVMConstIntGetZExtValue(self.0)))
    }

    /// An integer constant, sign-extended, if it fits.
    pub(super) fn as_i64(self) -> Option<i64> {
        (self.kind() == Kind::Int && self.ty().int_bits() <= 64).then(|| get!(LLVMConstIntGetSExtValue(self.0)))
    }

    /// Element `index` of an aggregate constant.
    pub(super) fn element(self, index: u32) -> Option<Value> {
        value(get!(LLVMGetAggregateElement(self.0, index)))
    }

    pub(super) fn block_address(self) -> (Value, Block) {
        assert_eq!(self.kind(), Kind::BlockAddress);
        (Value(get!(LLVMGetBlockAddressFunction(self.0))), Block(get!(LLVMGetBlockAddressBasicBlock(self.0))))
    }

    pub(super) fn aliasee(self) -> Value {
        assert_eq!(self.kind(), Kind::Alias);
        Value(get!(LLVMAliasGetAliasee(self.0)))
    }

    // --- globals and functions ---

    /// Of a global variable.
    pub(super) fn initializer(self) -> Option<Value> {
        value(get!(LLVMGetInitializer(self.0)))
    }

    /// Type of what a global's address points to.
    pub(super) fn value_type(self) -> Type {
        Type::new(get!(LLVMGlobalGetValueType(self.0)))
    }

    pub(super) fn is_thread_local(self) -> bool {
        get!(LLVMGetThreadLocalMode(self.0)) != LLVMThreadLocalMode::LLVMNotThreadLocal
    }

    pub(super) fn is_global_constant(self) -> bool {
        get!(LLVMIsGlobalConstant(self.0)) != 0
    }

    /// Declared `weak` and not defined: its address may be null.
    pub(super) fn is_extern_weak(self) -> bool {
        get!(LLVMGetLinkage(self.0)) == LLVMLinkage::LLVMExternalWeakLinkage
    }

    pub(super) fn is_declaration(self) -> bool {
        get!(LLVMIsDeclaration(self.0)) != 0
    }

    pub(super) fn params(self) -> Vec<Value> {
        (0..get!(LLVMCountParams(self.0))).map(|i| Value(get!(LLVMGetParam(self.0, i)))).collect()
    }

    pub(super) fn blocks(self) -> impl Iterator<Item = Block> {
        let first = get!(LLVMGetFirstBasicBlock(self.0));
        std::iter::successors((!first.is_null()).then_some(Block(first)), |b| {
            let next = get!(LLVMGetNextBasicBlock(b.0));
            (!next.is_null()).then_some(Block(next))
        })
    }

    /// Whether the function has the attribute of that name.
    pub(super) fn has_function_attribute(self, name: &str) -> bool {
        let kind = attribute_kind(name);
        !get!(LLVMGetEnumAttributeAtIndex(self.0, llvm_sys::LLVMAttributeFunctionIndex, kind)).is_null()
    }

    /// Whether a function's result (index 0), or the parameter of that number from 1 on, has an attribute of LLVM.
    pub(super) fn has_attribute(self, index: u32, name: &str) -> bool {
        !get!(LLVMGetEnumAttributeAtIndex(self.0, index, attribute_kind(name))).is_null()
    }

    /// Whether a function has an attribute that is no concern of LLVM's.
    pub(super) fn has_own_attribute(self, name: &str) -> bool {
        let length = name.len() as u32;
        let index = llvm_sys::LLVMAttributeFunctionIndex;
        !get!(LLVMGetStringAttributeAtIndex(self.0, index, name.as_ptr().cast(), length)).is_null()
    }
}

fn attribute_kind(name: &str) -> u32 {
    get!(LLVMGetEnumAttributeKindForName(name.as_ptr().cast(), name.len()))
}

impl Block {
    pub(super) fn instructions(self) -> impl Iterator<Item = Value> {
        std::iter::successors(value(get!(LLVMGetFirstInstruction(self.0))), |i| {
            value(get!(LLVMGetNextInstruction(i.0)))
        })
    }

    pub(super) fn terminator(self) -> Option<Value> {
        value(get!(LLVMGetBasicBlockTerminator(self.0)))
    }

    /// The program takes its address with `&&label`.
    pub(super) fn is_address_taken(self) -> bool {
        Value(get!(LLVMBasicBlockAsValue(self.0))).users().any(|u| u.kind() == Kind::BlockAddress)
    }

    pub(super) fn successors(self) -> Vec<Block> {
        let Some(last) = self.terminator() else {
            return Vec::new();
        };
        (0..get!(LLVMGetNumSuccessors(last.0))).map(|i| Block(get!(LLVMGetSuccessor(last.0, i)))).collect()
    }
}
