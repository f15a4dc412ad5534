//! Operations on the bits of an integer.
use super::wide::{mask, sign_extend_wide};
use frontend::ir::BitOp;

/// A one-operand operation of `width` (1…128) bits.
pub fn bits_wide(op: BitOp, width: u8, a: u128) -> u128 {
    let unused = 128 - u32::from(width);
    let result = match op {
        BitOp::PopCount => u128::from(a.count_ones()),
        BitOp::LeadingZeros => u128::from(a.leading_zeros() - unused),
        BitOp::TrailingZeros => u128::from(a.trailing_zeros().min(u32::from(width))),
        BitOp::ByteSwap => a.swap_bytes() >> unused,
        BitOp::BitReverse => a.reverse_bits() >> unused,
        BitOp::Abs => sign_extend_wide(width, a).unsigned_abs(),
    };
    mask(width, result)
}

/// A one-operand operation of `width` (1…64) bits.
pub fn bits(op: BitOp, width: u8, a: u64) -> u64 {
    bits_wide(op, width, u128::from(a)) as u64
}

/// The high (`left`: llvm.fshl) or low (llvm.fshr) `width` bits of `a:b` shifted by `count` modulo the width.
pub fn funnel_shift(left: bool, width: u8, a: u64, b: u64, count: u64) -> u64 {
    let both = u128::from(a) << width | u128::from(b);
    let n = count % u64::from(width);
    let shifted = if left { both << n >> width } else { both >> n };
    mask(width, shifted) as u64
}
