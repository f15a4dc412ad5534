//! The instructions. Each is at most 24 bytes.
use super::operator::{
    AddressUse, BitOp, CastKind, Float, FloatOp, FloatPredicate, FloatUnary, IntOp, IntPredicate, Ordering, OverflowOp,
    RmwOp, WideOp,
};
use super::{FuncId, GlobalId, Operand, Pc, Registers, Slot};
use serde::{Deserialize, Serialize};

/// Destination and operands of a two-operand integer operation of `width` bits (1…64).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Bin {
    /// Bits of the type.
    pub width: u8,
    /// [`flags`].
    pub flags: u8,
    /// Where the result goes.
    pub dst: Slot,
    /// Left operand.
    pub a: Operand,
    /// Right operand.
    pub b: Operand,
}

/// Bits of [`Bin::flags`].
pub mod flags {
    /// Signed overflow is undefined (`nsw`).
    pub const NSW: u8 = 1;
    /// Unsigned overflow is undefined (`nuw`).
    pub const NUW: u8 = 2;
    /// A remainder or lost bits are undefined (`exact`).
    pub const EXACT: u8 = 4;
}

/// One instruction. Sizes in bytes unless they say bits.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[allow(missing_docs, reason = "fields are described in the comment of each variant")]
pub enum Inst {
    // --- integers of up to 64 bits; results are truncated to the width ---
    Add(Bin),
    Sub(Bin),
    Mul(Bin),
    And(Bin),
    Or(Bin),
    Xor(Bin),
    /// Shifts: a count of at least `width` gives 0 (or the sign); the checker of undefined behaviour may object first.
    Shl(Bin),
    LShr(Bin),
    AShr(Bin),
    /// Divisions fault on a zero divisor; the signed ones also on minimum / -1.
    UDiv(Bin),
    SDiv(Bin),
    URem(Bin),
    SRem(Bin),
    /// The less common two-operand operations.
    Int {
        op: IntOp,
        width: u8,
        dst: Slot,
        a: Operand,
        b: Operand,
    },
    /// One-operand operations; `width` may be up to 128 (then two slots).
    Bits {
        op: BitOp,
        width: u8,
        dst: Slot,
        a: Operand,
    },
    /// llvm.fshl / llvm.fshr of `width` ≤ 64 bits.
    FunnelShift {
        left: bool,
        width: u8,
        dst: Slot,
        a: Operand,
        b: Operand,
        c: Operand,
    },
    /// Result and overflow bit; `width` up to 128.
    Overflow {
        op: OverflowOp,
        width: u8,
        dst: Slot,
        a: Operand,
        b: Operand,
    },
    /// Compare, result 0 or 1.
    ICmp {
        predicate: IntPredicate,
        width: u8,
        dst: Slot,
        a: Operand,
        b: Operand,
    },
    /// Keeps the low `width` bits.
    Trunc {
        width: u8,
        dst: Slot,
        a: Operand,
    },
    /// Sign-extends from `from` to `to` bits (both ≤ 64).
    Sext {
        from: u8,
        to: u8,
        dst: Slot,
        a: Operand,
    },

    // --- integers of 65…128 bits ---
    Wide {
        op: WideOp,
        width: u8,
        flags: u8,
        dst: Slot,
        a: Operand,
        b: Operand,
    },
    WideICmp {
        predicate: IntPredicate,
        width: u8,
        dst: Slot,
        a: Operand,
        b: Operand,
    },

    // --- floating point ---
    Float {
        op: FloatOp,
        format: Float,
        dst: Slot,
        a: Operand,
        b: Operand,
    },
    FloatUnary {
        op: FloatUnary,
        format: Float,
        dst: Slot,
        a: Operand,
    },
    /// a·b + c.
    FusedMulAdd {
        format: Float,
        dst: Slot,
        a: Operand,
        b: Operand,
        c: Operand,
    },
    FCmp {
        predicate: FloatPredicate,
        format: Float,
        dst: Slot,
        a: Operand,
        b: Operand,
    },
    Cast {
        kind: CastKind,
        from: u8,
        to: u8,
        dst: Slot,
        a: Operand,
    },

    // --- moving values ---
    Copy {
        dst: Slot,
        a: Operand,
    },
    /// Copies `n` consecutive slots; the ranges do not overlap.
    CopyN {
        n: u32,
        dst: Slot,
        a: Operand,
    },
    /// `dst = c ? a : b` for one slot.
    Select {
        dst: Slot,
        c: Operand,
        a: Operand,
        b: Operand,
    },
    /// Element `index` (a run-time value, in elements) of `n` elements of `stride` slots each that start at slot
    /// `vector`; out of range gives an undefined value.
    ExtractDynamic {
        n: u16,
        stride: u8,
        dst: Slot,
        vector: Operand,
        index: Operand,
    },
    /// Writes element `index` in place: `dst` already holds a copy of the vector.
    InsertDynamic {
        n: u16,
        stride: u8,
        dst: Slot,
        index: Operand,
        value: Operand,
    },
    /// The slot gets an undefined value (LLVM's undef or poison): using it in a branch, an address or a call of the
    /// library is a violation.
    Undef {
        dst: Slot,
    },
    /// An undefined value becomes an arbitrary fixed one, which is not known.
    Freeze {
        dst: Slot,
        a: Operand,
    },

    /// `dst = a`, which is undefined if `c` is 1: the result of an operation that has none there (LLVM's poison).
    Poison {
        dst: Slot,
        a: Operand,
        c: Operand,
    },

    // --- addresses ---
    /// `dst = base + index·scale + offset`, in the width of a pointer. The index is already sign-extended to it.
    Address {
        dst: Slot,
        base: Operand,
        index: Operand,
        scale: u32,
        offset: i32,
    },
    /// `dst = base + offset`.
    AddressOffset {
        dst: Slot,
        base: Operand,
        offset: i64,
    },
    /// The numbers `a` and `b`, which may be addresses, are used in a way that may depend on where objects lie.
    UseAddress {
        what: AddressUse,
        a: Operand,
        b: Operand,
    },
    /// Address of the calling thread's copy of a thread-local variable.
    ThreadLocal {
        dst: Slot,
        global: GlobalId,
    },

    // --- plain memory; `address + offset` is accessed ---
    Load8 {
        dst: Slot,
        address: Operand,
        offset: i32,
    },
    Load16 {
        dst: Slot,
        address: Operand,
        offset: i32,
    },
    Load32 {
        dst: Slot,
        address: Operand,
        offset: i32,
    },
    Load64 {
        dst: Slot,
        address: Operand,
        offset: i32,
    },
    /// Any number of bits up to 128, as stored by LLVM: `ceil(bits/8)` bytes (x87: 10). One slot, two if bits > 64.
    LoadBits {
        bits: u8,
        dst: Slot,
        address: Operand,
        offset: i32,
    },
    /// `size` (1, 2, 4, 8) bytes at `base + index·scale + offset`.
    LoadIndexed {
        size: u8,
        scale: u16,
        dst: Slot,
        base: Operand,
        index: Operand,
        offset: i32,
    },
    Store8 {
        address: Operand,
        offset: i32,
        value: Operand,
    },
    Store16 {
        address: Operand,
        offset: i32,
        value: Operand,
    },
    Store32 {
        address: Operand,
        offset: i32,
        value: Operand,
    },
    Store64 {
        address: Operand,
        offset: i32,
        value: Operand,
    },
    /// See [`Inst::LoadBits`].
    StoreBits {
        bits: u8,
        address: Operand,
        offset: i32,
        value: Operand,
    },
    /// See [`Inst::LoadIndexed`].
    StoreIndexed {
        size: u8,
        scale: u16,
        base: Operand,
        index: Operand,
        offset: i32,
        value: Operand,
    },
    /// llvm.memcpy: the ranges are equal or do not overlap.
    MemCopy {
        to: Operand,
        from: Operand,
        len: Operand,
    },
    /// llvm.memmove.
    MemMove {
        to: Operand,
        from: Operand,
        len: Operand,
    },
    /// llvm.memset with the low byte of `value`.
    MemSet {
        to: Operand,
        value: Operand,
        len: Operand,
    },
    /// A new stack object; `info` indexes [`super::Function::allocas`], its size is multiplied by `count`.
    Alloca {
        info: u32,
        dst: Slot,
        count: Operand,
    },
    /// The stack object at `address` begins or ends its life; size from the object.
    LifetimeStart {
        address: Operand,
    },
    LifetimeEnd {
        address: Operand,
    },
    /// llvm.stacksave / llvm.stackrestore: frees the stack objects made since.
    StackSave {
        dst: Slot,
    },
    StackRestore {
        saved: Operand,
    },

    // --- atomics: visible. `size` is 1, 2, 4, 8 or 16 (two slots) ---
    AtomicLoad {
        size: u8,
        ordering: Ordering,
        dst: Slot,
        address: Operand,
    },
    AtomicStore {
        size: u8,
        ordering: Ordering,
        address: Operand,
        value: Operand,
    },
    /// `dst` gets the old value. `unused`: it is never read.
    AtomicRmw {
        op: RmwOp,
        size: u8,
        ordering: Ordering,
        unused: bool,
        dst: Slot,
        address: Operand,
        value: Operand,
    },
    /// `dst` gets the old value (one slot, two if size is 16) and, in the slot behind it, 1 on success. A weak exchange
    /// never fails spuriously here.
    CompareExchange {
        size: u8,
        success: Ordering,
        failure: Ordering,
        dst: Slot,
        address: Operand,
        expected: Operand,
        new: Operand,
    },
    /// `compiler_only`: a signal fence, orders nothing between threads.
    Fence {
        ordering: Ordering,
        compiler_only: bool,
    },

    // --- control ---
    Jump {
        target: Pc,
    },
    Branch {
        condition: Operand,
        then: Pc,
        otherwise: Pc,
    },
    /// A comparison and the branch on it in one.
    BranchICmp {
        predicate: IntPredicate,
        width: u8,
        a: Operand,
        b: Operand,
        then: Pc,
        otherwise: Pc,
    },
    /// `table` indexes [`super::Function::switches`].
    Switch {
        table: u32,
        width: u8,
        value: Operand,
    },
    /// Jumps to a label made by a [`super::Constant::Block`] (computed goto).
    IndirectJump {
        target: Operand,
    },
    /// Returns `n` slots that start at `value`.
    Return {
        n: u32,
        value: Operand,
    },
    /// `site` indexes [`super::Function::calls`]; `callee` is repeated there.
    Call {
        site: u32,
        callee: FuncId,
    },
    /// The same through a function pointer.
    CallIndirect {
        site: u32,
        callee: Operand,
    },
    /// `ap` points to the va_list of the data model's ABI. See [`super::Function::variadic`].
    VaStart {
        ap: Operand,
    },
    VaEnd {
        ap: Operand,
    },
    VaCopy {
        to: Operand,
        from: Operand,
    },
    /// LLVM's own va_arg instruction (rare: clang expands it): `bits` as in LoadBits, `registers` as in Arg.
    VaArg {
        bits: u8,
        registers: Registers,
        dst: Slot,
        ap: Operand,
    },
    /// llvm.returnaddress / llvm.frameaddress: an address that is valid for nothing.
    FrameAddress {
        dst: Slot,
    },
    /// `__builtin_trap`, `ud2`.
    Trap,
    /// Control must not come here.
    Unreachable,
    /// Something that we do not model; `reason` indexes [`super::Function::unsupported`]. The verdict becomes
    /// "unknown" if it is reached.
    Unsupported {
        reason: u32,
    },
    /// Nothing.
    Nop,
}

const _: () = assert!(std::mem::size_of::<Inst>() <= 24);
