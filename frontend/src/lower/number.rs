//! Which integers may be the numbers of addresses.
//!
//! A pointer becomes a number by ptrtoint, or because a variable is written as a pointer and read as an integer (a
//! union, a copy, the temporaries of clang's atomic accesses). What is computed from a number may be one too. Where a
//! number leaves the registers of its function (it is stored, passed or returned), any integer of the module that is
//! wide enough and comes from memory or from another function may be one. Whether it is, the machine looks at when it
//! matters.
use super::atomic::is_kept_number;
use super::llvm::{Kind, LLVMOpcode, Program, TypeKind, Value};
use rustc_hash::FxHashSet;

/// A mask of lower bits up to this leaves no address.
const LARGEST_TAG: u64 = 4096;

/// What is known of the whole module.
#[derive(Clone, Copy)]
pub(super) struct Numbers {
    pointer_bits: u32,
    /// Numbers of addresses may come from memory and from other functions.
    everywhere: bool,
}

impl Numbers {
    pub(super) fn new(program: Program, pointer_bits: u32) -> Self {
        let here = Numbers { pointer_bits, everywhere: false };
        let initialised = program.globals().filter_map(Value::initializer).any(holds_number);
        let escape = || program.functions().any(|function| here.escape(function));
        Numbers { pointer_bits, everywhere: initialised || here.is_global_reread(program) || escape() }
    }

    /// Whether a place in a global variable is written as a pointer and read as an integer.
    fn is_global_reread(self, program: Program) -> bool {
        let instructions = || program.functions().flat_map(Value::blocks).flat_map(|block| block.instructions());
        let is_store = |inst: &Value| inst.opcode() == LLVMOpcode::LLVMStore && inst.operand(0).ty().is_pointer();
        let stores = instructions().filter(is_store).map(|inst| inst.operand(1));
        let written: FxHashSet<Value> = stores.filter(|place| place.is_constant()).collect();
        let is_load = |inst: &Value| inst.opcode() == LLVMOpcode::LLVMLoad && self.is_wide_enough(*inst);
        !written.is_empty() && instructions().filter(is_load).any(|inst| written.contains(&inst.operand(0)))
    }

    /// The instructions and parameters of a function that may be numbers of addresses.
    pub(super) fn of(self, function: Value) -> FxHashSet<Value> {
        let instructions = || function.blocks().flat_map(|block| block.instructions());
        let mut rewritten = FxHashSet::default();
        for inst in instructions() {
            rewritten.extend(written_as_pointer(inst));
        }
        let is_origin = |inst: &Value| match inst.opcode() {
            LLVMOpcode::LLVMPtrToInt => true,
            LLVMOpcode::LLVMLoad => self.everywhere || rewritten.contains(&variable(inst.operand(0))),
            LLVMOpcode::LLVMCall
            | LLVMOpcode::LLVMInvoke
            | LLVMOpcode::LLVMAtomicRMW
            | LLVMOpcode::LLVMExtractValue
            | LLVMOpcode::LLVMVAArg => self.everywhere,
            _ => false,
        };
        let params = function.params().into_iter().filter(|_| self.everywhere);
        let from_constant = |inst: &Value| {
            let mut operands = (0..inst.operands()).map(|i| inst.operand(i));
            operands.any(|operand| is_constant_number(operand) && hands_on(*inst, operand))
        };
        let origins = instructions().filter(|inst| is_origin(inst) || from_constant(inst)).chain(params);
        let mut open: Vec<Value> = origins.collect();
        let mut found = FxHashSet::default();
        while let Some(value) = open.pop() {
            if self.is_wide_enough(value) && found.insert(value) {
                open.extend(value.users().filter(|user| user.kind() == Kind::Instruction && hands_on(*user, value)));
            }
        }
        found
    }

    /// Whether numbers leave the registers of the function.
    fn escape(self, function: Value) -> bool {
        let found = self.of(function);
        let leaves = |inst: Value, value: Value| match inst.opcode() {
            LLVMOpcode::LLVMStore => inst.operand(0) == value,
            LLVMOpcode::LLVMCall | LLVMOpcode::LLVMInvoke => inst.callee().intrinsic().is_none(),
            LLVMOpcode::LLVMRet
            | LLVMOpcode::LLVMInsertValue
            | LLVMOpcode::LLVMAtomicRMW
            | LLVMOpcode::LLVMAtomicCmpXchg => true,
            _ => is_kept_number(inst),
        };
        let constants = || {
            let mut instructions = function.blocks().flat_map(|block| block.instructions());
            instructions.any(|inst| {
                (0..inst.operands()).any(|i| is_constant_number(inst.operand(i)) && leaves(inst, inst.operand(i)))
            })
        };
        found.iter().any(|value| value.users().any(|user| user.kind() == Kind::Instruction && leaves(user, *value)))
            || constants()
    }

    /// Whether it is an integer in which an address has room, and that one slot holds.
    fn is_wide_enough(self, value: Value) -> bool {
        let ty = value.ty();
        ty.kind() == TypeKind::LLVMIntegerTypeKind && (self.pointer_bits..=64).contains(&ty.int_bits())
    }
}

/// Whether a constant is a number that the linker finds.
pub(super) fn is_constant_number(value: Value) -> bool {
    value.kind() == Kind::Expression
        && match value.opcode() {
            LLVMOpcode::LLVMPtrToInt => true,
            LLVMOpcode::LLVMAdd | LLVMOpcode::LLVMSub | LLVMOpcode::LLVMXor => {
                // Distances within an object are known to LLVM.
                is_constant_number(value.operand(0)) != is_constant_number(value.operand(1))
            }
            _ => false,
        }
}

/// Whether an initial value has one in it.
fn holds_number(value: Value) -> bool {
    match value.kind() {
        Kind::Expression => is_constant_number(value),
        Kind::Aggregate => (0..value.operands()).any(|i| holds_number(value.operand(i))),
        _ => false,
    }
}

/// The variable that a pointer points into, as far as the code says.
pub(super) fn variable(mut pointer: Value) -> Value {
    while matches!(pointer.kind(), Kind::Instruction | Kind::Expression)
        && pointer.opcode() == LLVMOpcode::LLVMGetElementPtr
    {
        pointer = pointer.operand(0);
    }
    pointer
}

/// The variable to which a pointer, or something that is not known, is written.
fn written_as_pointer(inst: Value) -> Option<Value> {
    match inst.opcode() {
        LLVMOpcode::LLVMStore if inst.operand(0).ty().is_pointer() => Some(variable(inst.operand(1))),
        LLVMOpcode::LLVMCall => {
            let name = inst.callee().intrinsic()?;
            let copies = name.starts_with("llvm.memcpy") || name.starts_with("llvm.memmove");
            copies.then(|| variable(inst.operand(0)))
        }
        _ => None,
    }
}

/// Whether the result of an instruction with this operand may still be the number of an address.
fn hands_on(inst: Value, value: Value) -> bool {
    use LLVMOpcode::*;
    match inst.opcode() {
        LLVMPHI | LLVMFreeze | LLVMAdd | LLVMOr | LLVMXor | LLVMZExt | LLVMSExt | LLVMTrunc => true,
        LLVMSelect => inst.operand(0) != value,
        LLVMSub => inst.operand(0) == value && !is_converted(inst.operand(1)),
        LLVMAnd => (0..2).all(|i| inst.operand(i).as_u64().is_none_or(|mask| mask >= LARGEST_TAG)),
        LLVMCall => inst.callee().intrinsic().is_some_and(|name| name.starts_with("llvm.expect")),
        _ => false,
    }
}

/// Whether a value is a pointer's number at once: what it is subtracted from is a distance then.
fn is_converted(value: Value) -> bool {
    matches!(value.kind(), Kind::Instruction | Kind::Expression) && value.opcode() == LLVMOpcode::LLVMPtrToInt
}
