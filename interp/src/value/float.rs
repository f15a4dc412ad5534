//! Floating-point numbers as bits: low 32, 64 or 80 of a `u128`.
//!
//! `float` and `double` are computed by the processor, x87's format in software. Rounding is to nearest, always. Where
//! the result is a NaN, it is the one that x86 gives: the first operand that is one, made quiet, or else the default
//! one.
use super::format::{default_nan, is_nan, quiet_bit, sign_bit};
use super::x87;
use frontend::ir::{Float, FloatOp, FloatPredicate, FloatUnary};
use std::cmp::Ordering;

/// A two-operand operation. `None` for the power of long doubles, which we cannot compute as the program would.
pub fn float(op: FloatOp, format: Float, a: u128, b: u128) -> Option<u128> {
    let least = matches!(op, FloatOp::MinNum | FloatOp::Minimum);
    Some(match op {
        FloatOp::CopySign => (a & !sign_bit(format)) | (b & sign_bit(format)),
        FloatOp::MinNum | FloatOp::MaxNum if is_nan(format, a) && !is_nan(format, b) => b,
        FloatOp::MinNum | FloatOp::MaxNum if is_nan(format, b) && !is_nan(format, a) => a,
        FloatOp::MinNum | FloatOp::MaxNum | FloatOp::Minimum | FloatOp::Maximum => {
            match order(format, a, b) {
                None => return Some(settle_nan(format, default_nan(format), &[a, b])),
                // Of zeros, -0 is the smaller one.
                Some(Ordering::Equal) => {
                    let negative = if a & sign_bit(format) != 0 { a } else { b };
                    let positive = if a & sign_bit(format) != 0 { b } else { a };
                    if least { negative } else { positive }
                }
                Some(Ordering::Less) => {
                    if least {
                        a
                    } else {
                        b
                    }
                }
                Some(Ordering::Greater) => {
                    if least {
                        b
                    } else {
                        a
                    }
                }
            }
        }
        FloatOp::Pow => match format {
            Float::F32 => settle_nan(format, single(f32_of(a).powf(f32_of(b))), &[a, b]),
            Float::F64 => settle_nan(format, double(f64_of(a).powf(f64_of(b))), &[a, b]),
            Float::F80 => return None,
        },
        FloatOp::Add | FloatOp::Sub | FloatOp::Mul | FloatOp::Div | FloatOp::Rem => {
            let result = match format {
                Float::F32 => single(arithmetic(op, f32_of(a), f32_of(b))),
                Float::F64 => double(arithmetic(op, f64_of(a), f64_of(b))),
                Float::F80 => x87::arithmetic(op, a, b)?,
            };
            settle_nan(format, result, &[a, b])
        }
    })
}

/// A one-operand operation. `None` for the transcendental functions of long doubles.
pub fn float_unary(op: FloatUnary, format: Float, a: u128) -> Option<u128> {
    let result = match op {
        FloatUnary::Neg => return Some(a ^ sign_bit(format)),
        FloatUnary::Abs => return Some(a & !sign_bit(format)),
        _ => match format {
            Float::F32 => {
                let x = f32_of(a);
                single(match op {
                    FloatUnary::Sqrt => x.sqrt(),
                    FloatUnary::Floor => x.floor(),
                    FloatUnary::Ceil => x.ceil(),
                    FloatUnary::Trunc => x.trunc(),
                    FloatUnary::Round => x.round(),
                    FloatUnary::RoundEven | FloatUnary::Rint | FloatUnary::NearbyInt => x.round_ties_even(),
                    FloatUnary::Sin => x.sin(),
                    FloatUnary::Cos => x.cos(),
                    FloatUnary::Exp => x.exp(),
                    FloatUnary::Exp2 => x.exp2(),
                    FloatUnary::Log => x.ln(),
                    FloatUnary::Log2 => x.log2(),
                    FloatUnary::Log10 => x.log10(),
                    FloatUnary::Canonicalize | FloatUnary::Neg | FloatUnary::Abs => x,
                })
            }
            Float::F64 => {
                let x = f64_of(a);
                double(match op {
                    FloatUnary::Sqrt => x.sqrt(),
                    FloatUnary::Floor => x.floor(),
                    FloatUnary::Ceil => x.ceil(),
                    FloatUnary::Trunc => x.trunc(),
                    FloatUnary::Round => x.round(),
                    FloatUnary::RoundEven | FloatUnary::Rint | FloatUnary::NearbyInt => x.round_ties_even(),
                    FloatUnary::Sin => x.sin(),
                    FloatUnary::Cos => x.cos(),
                    FloatUnary::Exp => x.exp(),
                    FloatUnary::Exp2 => x.exp2(),
                    FloatUnary::Log => x.ln(),
                    FloatUnary::Log2 => x.log2(),
                    FloatUnary::Log10 => x.log10(),
                    FloatUnary::Canonicalize | FloatUnary::Neg | FloatUnary::Abs => x,
                })
            }
            Float::F80 => x87::unary(op, a)?,
        },
    };
    Some(settle_nan(format, result, &[a]))
}

/// `a·b + c`, rounded once.
pub fn fused_multiply_add(format: Float, a: u128, b: u128, c: u128) -> u128 {
    let result = match format {
        Float::F32 => single(f32_of(a).mul_add(f32_of(b), f32_of(c))),
        Float::F64 => double(f64_of(a).mul_add(f64_of(b), f64_of(c))),
        Float::F80 => x87::fused_multiply_add(a, b, c),
    };
    settle_nan(format, result, &[a, b, c])
}

/// A comparison.
pub fn compare_float(predicate: FloatPredicate, format: Float, a: u128, b: u128) -> bool {
    use FloatPredicate as P;
    let order = order(format, a, b);
    match predicate {
        P::False => false,
        P::True => true,
        P::Ord => order.is_some(),
        P::Uno => order.is_none(),
        P::Oeq => order == Some(Ordering::Equal),
        P::Ogt => order == Some(Ordering::Greater),
        P::Oge => order.is_some_and(Ordering::is_ge),
        P::Olt => order == Some(Ordering::Less),
        P::Ole => order.is_some_and(Ordering::is_le),
        P::One => order.is_some_and(Ordering::is_ne),
        P::Ueq => order.is_none_or(Ordering::is_eq),
        P::Ugt => order.is_none_or(Ordering::is_gt),
        P::Uge => order.is_none_or(Ordering::is_ge),
        P::Ult => order.is_none_or(Ordering::is_lt),
        P::Ule => order.is_none_or(Ordering::is_le),
        P::Une => order.is_none_or(Ordering::is_ne),
    }
}

/// How two numbers compare; `None` if one is a NaN.
fn order(format: Float, a: u128, b: u128) -> Option<Ordering> {
    match format {
        Float::F32 => f32_of(a).partial_cmp(&f32_of(b)),
        Float::F64 => f64_of(a).partial_cmp(&f64_of(b)),
        Float::F80 => x87::number(a).partial_cmp(&x87::number(b)),
    }
}

fn arithmetic<T>(op: FloatOp, x: T, y: T) -> T
where
    T: std::ops::Add<Output = T>
        + std::ops::Sub<Output = T>
        + std::ops::Mul<Output = T>
        + std::ops::Div<Output = T>
        + std::ops::Rem<Output = T>,
{
    match op {
        FloatOp::Add => x + y,
        FloatOp::Sub => x - y,
        FloatOp::Mul => x * y,
        FloatOp::Div => x / y,
        FloatOp::Rem => x % y,
        _ => unreachable!("{op:?} is not basic arithmetic"),
    }
}

/// The result, but if it is a NaN the one that x86 gives for these operands.
fn settle_nan(format: Float, result: u128, operands: &[u128]) -> u128 {
    if !is_nan(format, result) {
        return result;
    }
    let first = operands.iter().find(|&&operand| is_nan(format, operand));
    first.map_or(default_nan(format), |nan| nan | quiet_bit(format))
}

fn f32_of(bits: u128) -> f32 {
    f32::from_bits(bits as u32)
}

fn f64_of(bits: u128) -> f64 {
    f64::from_bits(bits as u64)
}

fn single(x: f32) -> u128 {
    x.to_bits().into()
}

fn double(x: f64) -> u128 {
    x.to_bits().into()
}
