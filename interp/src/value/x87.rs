//! x87's 80-bit floating-point numbers, in software.
use super::format::{Number, default_nan, unpack};
use frontend::ir::{Float, FloatOp, FloatUnary};
use rustc_apfloat::ieee::{Double, Single, X87DoubleExtended};
use rustc_apfloat::{Float as _, FloatConvert as _, Round};

/// A number from its bits.
pub(super) fn number(bits: u128) -> X87DoubleExtended {
    X87DoubleExtended::from_bits(bits & ((1 << 80) - 1))
}

/// Add, subtract, multiply, divide, remainder. `None` for anything else.
pub(super) fn arithmetic(op: FloatOp, a: u128, b: u128) -> Option<u128> {
    let (x, y) = (number(a), number(b));
    let result = match op {
        FloatOp::Add => x + y,
        FloatOp::Sub => x - y,
        FloatOp::Mul => x * y,
        FloatOp::Div => x / y,
        FloatOp::Rem => x.c_fmod(y),
        _ => return None,
    };
    Some(result.value.to_bits())
}

/// `a·b + c`, rounded once.
pub(super) fn fused_multiply_add(a: u128, b: u128, c: u128) -> u128 {
    number(a).mul_add(number(b), number(c)).value.to_bits()
}

/// Rounding to an integer, and the square root. `None` for anything else.
pub(super) fn unary(op: FloatUnary, a: u128) -> Option<u128> {
    let round = match op {
        FloatUnary::Sqrt => return Some(square_root(a)),
        FloatUnary::Floor => Round::TowardNegative,
        FloatUnary::Ceil => Round::TowardPositive,
        FloatUnary::Trunc => Round::TowardZero,
        FloatUnary::Round => Round::NearestTiesToAway,
        FloatUnary::RoundEven | FloatUnary::Rint | FloatUnary::NearbyInt => Round::NearestTiesToEven,
        FloatUnary::Canonicalize => return Some(a),
        _ => return None,
    };
    Some(number(a).round_to_integral(round).value.to_bits())
}

/// From an integer, rounded to nearest.
pub(super) fn from_integer(negative: bool, magnitude: u128) -> u128 {
    let number = X87DoubleExtended::from_u128(magnitude).value;
    if negative { -number } else { number }.to_bits()
}

/// From another format: exact.
pub(super) fn widen(from: Float, bits: u128) -> u128 {
    let mut lossy = false;
    match from {
        Float::F32 => X87DoubleExtended::to_bits(Single::from_bits(bits).convert(&mut lossy).value),
        Float::F64 => X87DoubleExtended::to_bits(Double::from_bits(bits).convert(&mut lossy).value),
        Float::F80 => bits,
    }
}

/// To another format, rounded to nearest.
pub(super) fn narrow(to: Float, bits: u128) -> u128 {
    let mut lossy = false;
    match to {
        Float::F32 => Single::to_bits(number(bits).convert(&mut lossy).value),
        Float::F64 => Double::to_bits(number(bits).convert(&mut lossy).value),
        Float::F80 => bits,
    }
}

/// The square root, rounded to nearest.
fn square_root(a: u128) -> u128 {
    const BIAS: i32 = 16383;
    let (magnitude, exponent) = match unpack(Float::F80, a) {
        Number::Finite { magnitude: 0, .. } | Number::Infinite { negative: false } => return a,
        Number::Finite { negative: false, magnitude, exponent } => (magnitude, exponent),
        _ => return default_nan(Float::F80),
    };
    // magnitude·2^exponent = radicand·2^(2·half) with 2^126 ≤ radicand < 2^128, so its root has 64 bits before the
    // point.
    let zeros = magnitude.leading_zeros();
    let shift = zeros + if (exponent - zeros as i32) % 2 == 0 { 64 } else { 63 };
    let radicand = u128::from(magnitude) << shift;
    let half = (exponent - shift as i32) / 2;
    let root = radicand.isqrt();
    // The root lies above root + 1/2 iff the rest exceeds it; it never lies exactly there, and never rounds to 2^64.
    let rounded = root + u128::from(radicand - root * root > root);
    let biased = half + 63 + BIAS;
    (biased as u128) << 64 | rounded
}
