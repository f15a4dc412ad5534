//! Floating-point numbers as bits: low 32, 64 or 80 of a `u128`.
use frontend::ir::{Float, FloatOp, FloatPredicate, FloatUnary};

/// A two-operand operation.
pub fn float(op: FloatOp, format: Float, a: u128, b: u128) -> Option<u128> {
    let _ = (op, format, a, b);
    unreachable!()
}
/// A one-operand operation.
pub fn float_unary(op: FloatUnary, format: Float, a: u128) -> Option<u128> {
    let _ = (op, format, a);
    unreachable!()
}
/// `a·b + c`, rounded once.
pub fn fused_multiply_add(format: Float, a: u128, b: u128, c: u128) -> u128 {
    let _ = (format, a, b, c);
    unreachable!()
}
/// A comparison.
pub fn compare_float(predicate: FloatPredicate, format: Float, a: u128, b: u128) -> bool {
    let _ = (predicate, format, a, b);
    unreachable!()
}
