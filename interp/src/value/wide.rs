//! Integers of up to 128 bits.
use frontend::ir::{IntPredicate, OverflowOp, WideOp};

/// Why a division has no result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DivisionError {
    /// The divisor is 0.
    Zero,
    /// The smallest number divided by -1.
    Overflow,
}

/// The low `width` (1…128) bits.
pub fn mask(width: u8, value: u128) -> u128 {
    value & (u128::MAX >> (128 - u32::from(width)))
}

/// The value of a signed integer of `width` (1…128) bits.
pub fn sign_extend_wide(width: u8, value: u128) -> i128 {
    let unused = 128 - u32::from(width);
    ((value << unused) as i128) >> unused
}

/// An operation of `width` (1…128) bits; shifts as in the IR.
pub fn wide(op: WideOp, width: u8, a: u128, b: u128) -> Result<u128, DivisionError> {
    let (x, y) = (sign_extend_wide(width, a), sign_extend_wide(width, b));
    let divisor = || {
        if b == 0 { Err(DivisionError::Zero) } else { Ok(b) }
    };
    let signed_divisor = || {
        divisor()?;
        let smallest = x == i128::MIN >> (128 - u32::from(width));
        if smallest && y == -1 { Err(DivisionError::Overflow) } else { Ok(y) }
    };
    let count = if b < u128::from(width) { Some(b as u32) } else { None };
    let result = match op {
        WideOp::Add => a.wrapping_add(b),
        WideOp::Sub => a.wrapping_sub(b),
        WideOp::Mul => a.wrapping_mul(b),
        WideOp::UDiv => a / divisor()?,
        WideOp::URem => a % divisor()?,
        WideOp::SDiv => (x / signed_divisor()?) as u128,
        WideOp::SRem => (x % signed_divisor()?) as u128,
        WideOp::And => a & b,
        WideOp::Or => a | b,
        WideOp::Xor => a ^ b,
        WideOp::Shl => count.map_or(0, |n| a << n),
        WideOp::LShr => count.map_or(0, |n| a >> n),
        WideOp::AShr => (x >> count.unwrap_or(127)) as u128,
    };
    Ok(mask(width, result))
}

/// A comparison of two integers of `width` bits.
pub fn compare_wide(predicate: IntPredicate, width: u8, a: u128, b: u128) -> bool {
    let (x, y) = (sign_extend_wide(width, a), sign_extend_wide(width, b));
    match predicate {
        IntPredicate::Eq => a == b,
        IntPredicate::Ne => a != b,
        IntPredicate::Ult => a < b,
        IntPredicate::Ule => a <= b,
        IntPredicate::Ugt => a > b,
        IntPredicate::Uge => a >= b,
        IntPredicate::Slt => x < y,
        IntPredicate::Sle => x <= y,
        IntPredicate::Sgt => x > y,
        IntPredicate::Sge => x >= y,
    }
}

/// Arithmetic of `width` (1…128) bits: the wrapped result, and whether it overflowed.
pub fn overflow_wide(op: OverflowOp, width: u8, a: u128, b: u128) -> (u128, bool) {
    let (x, y) = (sign_extend_wide(width, a), sign_extend_wide(width, b));
    let signed = |(value, over): (i128, bool)| {
        let result = mask(width, value as u128);
        (result, over || sign_extend_wide(width, result) != value)
    };
    let unsigned = |(value, over): (u128, bool)| (mask(width, value), over || mask(width, value) != value);
    match op {
        OverflowOp::SAdd => signed(x.overflowing_add(y)),
        OverflowOp::SSub => signed(x.overflowing_sub(y)),
        OverflowOp::SMul => signed(x.overflowing_mul(y)),
        OverflowOp::UAdd => unsigned(a.overflowing_add(b)),
        OverflowOp::USub => unsigned(a.overflowing_sub(b)),
        OverflowOp::UMul => unsigned(a.overflowing_mul(b)),
    }
}
