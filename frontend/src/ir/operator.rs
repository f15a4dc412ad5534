//! Lists of similar things that instructions can do to values: predicates, operators, conversions, memory orders.
use serde::{Deserialize, Serialize};

/// Comparison of integers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names are LLVM's")]
pub enum IntPredicate {
    Eq,
    Ne,
    Ult,
    Ule,
    Ugt,
    Uge,
    Slt,
    Sle,
    Sgt,
    Sge,
}

/// Comparison of floating-point numbers; `O…` is false and `U…` true if an operand is a NaN.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names are LLVM's")]
pub enum FloatPredicate {
    False,
    Oeq,
    Ogt,
    Oge,
    Olt,
    Ole,
    One,
    Ord,
    Uno,
    Ueq,
    Ugt,
    Uge,
    Ult,
    Ule,
    Une,
    True,
}

/// A floating-point format.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Float {
    /// IEEE single precision, one slot.
    F32,
    /// IEEE double precision, one slot.
    F64,
    /// x87 extended precision, 80 bits in two slots.
    F80,
}

/// Integer operations of 65…128 bits (operands and result in two slots each).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names are LLVM's")]
pub enum WideOp {
    Add,
    Sub,
    Mul,
    UDiv,
    SDiv,
    URem,
    SRem,
    And,
    Or,
    Xor,
    Shl,
    LShr,
    AShr,
}

/// Less common integer operations with two operands and a result of `width` bits (1…64).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names are LLVM's")]
pub enum IntOp {
    SMin,
    SMax,
    UMin,
    UMax,
    SAddSat,
    UAddSat,
    SSubSat,
    USubSat,
    SShlSat,
    UShlSat,
}

/// Arithmetic that says whether it overflowed: the result in `dst` (and `dst+1` if wider than 64 bits), the overflow
/// bit in the slot behind it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names are LLVM's")]
pub enum OverflowOp {
    SAdd,
    UAdd,
    SSub,
    USub,
    SMul,
    UMul,
}

/// Integer operations with one operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum BitOp {
    /// Number of one bits.
    PopCount,
    /// Leading zeros (the width if the operand is 0).
    LeadingZeros,
    /// Trailing zeros (the width if the operand is 0).
    TrailingZeros,
    /// Bytes reversed.
    ByteSwap,
    /// Bits reversed.
    BitReverse,
    /// Absolute value, wrapping.
    Abs,
}

/// Floating-point operations with two operands.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names are LLVM's")]
pub enum FloatOp {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    MinNum,
    MaxNum,
    Minimum,
    Maximum,
    CopySign,
    Pow,
}

/// Floating-point operations with one operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names are LLVM's")]
pub enum FloatUnary {
    Neg,
    Abs,
    Sqrt,
    Floor,
    Ceil,
    Trunc,
    Round,
    RoundEven,
    Rint,
    NearbyInt,
    Sin,
    Cos,
    Exp,
    Exp2,
    Log,
    Log2,
    Log10,
    Canonicalize,
}

/// Conversions that involve floating point or more than 64 bits. `from` and `to` of [`super::Inst::Cast`] are widths in
/// bits; a floating-point side of 80 bits is x87's format, 32 `float`, 64 `double`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum CastKind {
    /// Between floating-point formats, in either direction.
    FloatToFloat,
    /// Floating point to signed integer.
    FloatToSigned,
    /// Floating point to unsigned integer.
    FloatToUnsigned,
    /// The same, saturating (llvm.fptosi.sat).
    FloatToSignedSat,
    /// The same, saturating (llvm.fptoui.sat).
    FloatToUnsignedSat,
    /// Signed integer to floating point.
    SignedToFloat,
    /// Unsigned integer to floating point.
    UnsignedToFloat,
    /// Zero extension where a side is wider than 64 bits.
    WideZext,
    /// Sign extension where a side is wider than 64 bits.
    WideSext,
    /// Truncation where a side is wider than 64 bits.
    WideTrunc,
}

/// How the numbers of addresses are used.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum AddressUse {
    /// All bits of the first matter; the second is the same.
    Whole,
    /// A bitwise "and" of the first with the second.
    Mask,
    /// Their order.
    Order,
    /// Whether they are equal.
    Equality,
    /// Their sum.
    Sum,
    /// The first minus the second.
    Difference,
    /// Their bitwise "exclusive or".
    ExclusiveOr,
    /// Their bitwise "or".
    Or,
    /// The bytes in memory from the first on, as many as the second says.
    Bytes,
}

/// C11 memory order of an atomic access or fence.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names are C's; consume is promoted to acquire by clang, unordered is relaxed")]
pub enum Ordering {
    Relaxed,
    Acquire,
    Release,
    AcqRel,
    SeqCst,
}

/// Operation of an atomic read-modify-write.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names are LLVM's")]
pub enum RmwOp {
    Xchg,
    Add,
    Sub,
    /// `Add` and `Sub` of a pointer: the result belongs to its object, wherever it leads.
    PointerAdd,
    PointerSub,
    And,
    Nand,
    Or,
    Xor,
    SMax,
    SMin,
    UMax,
    UMin,
    FAdd,
    FSub,
    FMax,
    FMin,
    UIncWrap,
    UDecWrap,
}
