//! Integers of up to 64 bits.
use frontend::ir::{IntOp, IntPredicate, OverflowOp};

/// The low `width` (1…64) bits.
#[inline]
pub fn truncate(width: u8, value: u64) -> u64 {
    value & (u64::MAX >> (64 - u32::from(width)))
}

/// The value of a signed integer of `width` (1…64) bits.
#[inline]
pub fn sign_extend(width: u8, value: u64) -> i64 {
    let unused = 64 - u32::from(width);
    ((value << unused) as i64) >> unused
}

/// A comparison of two integers of `width` bits.
#[inline]
pub fn compare(predicate: IntPredicate, width: u8, a: u64, b: u64) -> bool {
    let signed = || (sign_extend(width, a), sign_extend(width, b));
    match predicate {
        IntPredicate::Eq => a == b,
        IntPredicate::Ne => a != b,
        IntPredicate::Ult => a < b,
        IntPredicate::Ule => a <= b,
        IntPredicate::Ugt => a > b,
        IntPredicate::Uge => a >= b,
        IntPredicate::Slt => signed().0 < signed().1,
        IntPredicate::Sle => signed().0 <= signed().1,
        IntPredicate::Sgt => signed().0 > signed().1,
        IntPredicate::Sge => signed().0 >= signed().1,
    }
}

/// The less common operations, of `width` bits. A saturating shift by at least the width gives `None` (undefined).
pub fn int_op(op: IntOp, width: u8, a: u64, b: u64) -> Option<u64> {
    let largest = truncate(width, u64::MAX);
    let (x, y) = (i128::from(sign_extend(width, a)), i128::from(sign_extend(width, b)));
    let signed = |value: i128| {
        let (low, high) = (-(1i128 << (width - 1)), (1i128 << (width - 1)) - 1);
        truncate(width, value.clamp(low, high) as u64)
    };
    Some(match op {
        IntOp::SMin => truncate(width, x.min(y) as u64),
        IntOp::SMax => truncate(width, x.max(y) as u64),
        IntOp::UMin => a.min(b),
        IntOp::UMax => a.max(b),
        IntOp::SAddSat => signed(x + y),
        IntOp::SSubSat => signed(x - y),
        IntOp::UAddSat => a.saturating_add(b).min(largest),
        IntOp::USubSat => a.saturating_sub(b),
        IntOp::SShlSat | IntOp::UShlSat if b >= u64::from(width) => return None,
        IntOp::SShlSat => signed(x << b),
        IntOp::UShlSat => (u128::from(a) << b).min(u128::from(largest)) as u64,
    })
}

/// Arithmetic of `width` (1…64) bits: the wrapped result, and whether it overflowed.
pub fn overflow(op: OverflowOp, width: u8, a: u64, b: u64) -> (u64, bool) {
    let (x, y) = (i128::from(sign_extend(width, a)), i128::from(sign_extend(width, b)));
    let (p, q) = (u128::from(a), u128::from(b));
    let signed = |value: i128| {
        let result = truncate(width, value as u64);
        (result, i128::from(sign_extend(width, result)) != value)
    };
    let unsigned = |value: u128| {
        let result = truncate(width, value as u64);
        (result, u128::from(result) != value)
    };
    match op {
        OverflowOp::SAdd => signed(x + y),
        OverflowOp::SSub => signed(x - y),
        OverflowOp::SMul => signed(x * y),
        OverflowOp::UAdd => unsigned(p + q),
        OverflowOp::USub => unsigned(p.wrapping_sub(q)),
        OverflowOp::UMul => unsigned(p * q),
    }
}
