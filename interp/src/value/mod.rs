//! Values: pure functions on integers of up to 128 bits and on floating-point numbers.
//!
//! Integers and floats come as the bits that slots hold: zero-extended from their width. Wide ones (more than 64 bits,
//! and x87's 80-bit floats) come as `u128`. A result of `None` means that we cannot compute it exactly as the program
//! would.
mod bits;
mod cast;
mod float;
mod format;
mod integer;
#[cfg(test)]
mod tests;
mod wide;
mod x87;

pub use bits::{bits, bits_wide, funnel_shift};
pub use cast::cast;
pub use float::{compare_float, float, float_unary, fused_multiply_add};
pub use integer::{compare, int_op, overflow, sign_extend, truncate};
pub use wide::{DivisionError, compare_wide, mask, overflow_wide, sign_extend_wide, wide};
