//! Conversions that involve floating point or more than 64 bits.
use frontend::ir::CastKind;

/// Converts from `from` to `to` bits. `None`: the value does not fit (undefined behaviour; not for the saturating kinds).
pub fn cast(kind: CastKind, from: u8, to: u8, a: u128) -> Option<u128> {
    let _ = (kind, from, to, a);
    unreachable!()
}
