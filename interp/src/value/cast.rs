//! Conversions that involve floating point or more than 64 bits.
use super::format::{Number, convert_nan, is_nan, of_width, unpack};
use super::wide::{mask, sign_extend_wide};
use super::x87;
use frontend::ir::{CastKind, Float};

/// Converts from `from` to `to` bits. `None`: the number does not fit (undefined behaviour; never for the saturating
/// kinds and those to floating point).
pub fn cast(kind: CastKind, from: u8, to: u8, a: u128) -> Option<u128> {
    match kind {
        CastKind::WideZext => Some(mask(from, a)),
        CastKind::WideSext => Some(mask(to, sign_extend_wide(from, a) as u128)),
        CastKind::WideTrunc => Some(mask(to, a)),
        CastKind::FloatToFloat => Some(convert(of_width(from), of_width(to), a)),
        CastKind::SignedToFloat => {
            let value = sign_extend_wide(from, a);
            Some(from_integer(of_width(to), value < 0, value.unsigned_abs()))
        }
        CastKind::UnsignedToFloat => Some(from_integer(of_width(to), false, mask(from, a))),
        CastKind::FloatToSigned | CastKind::FloatToUnsigned => {
            let integer = truncate(of_width(from), a)?;
            integer.fit(kind == CastKind::FloatToSigned, to)
        }
        CastKind::FloatToSignedSat | CastKind::FloatToUnsignedSat => {
            let signed = kind == CastKind::FloatToSignedSat;
            let Some(integer) = truncate(of_width(from), a) else {
                return Some(0);
            };
            Some(integer.fit(signed, to).unwrap_or_else(|| match (signed, integer.negative) {
                (true, true) => 1 << (to - 1),
                (true, false) => (1 << (to - 1)) - 1,
                (false, true) => 0,
                (false, false) => mask(to, u128::MAX),
            }))
        }
    }
}

/// An integer that may exceed 128 bits, in which case the magnitude is `None`.
struct Integer {
    negative: bool,
    magnitude: Option<u128>,
}

impl Integer {
    /// The bits in a type of `width` bits, if it fits.
    fn fit(&self, signed: bool, width: u8) -> Option<u128> {
        let magnitude = self.magnitude?;
        let limit = match (signed, self.negative) {
            (true, true) => 1 << (width - 1),
            (true, false) => (1 << (width - 1)) - 1,
            (false, true) => 0,
            (false, false) => mask(width, u128::MAX),
        };
        let value = if self.negative { magnitude.wrapping_neg() } else { magnitude };
        (magnitude <= limit).then_some(mask(width, value))
    }
}

/// Rounds toward zero; `None` for a NaN.
fn truncate(format: Float, bits: u128) -> Option<Integer> {
    match unpack(format, bits) {
        Number::NaN => None,
        Number::Infinite { negative } => Some(Integer { negative, magnitude: None }),
        Number::Finite { negative, magnitude, exponent } => {
            let wide = u128::from(magnitude);
            let magnitude = match exponent {
                _ if wide == 0 => Some(0),
                ..0 => Some(wide.checked_shr(exponent.unsigned_abs()).unwrap_or(0)),
                _ if exponent.unsigned_abs() > wide.leading_zeros() => None,
                _ => Some(wide << exponent),
            };
            Some(Integer { negative, magnitude })
        }
    }
}

/// Between formats, rounded to nearest.
fn convert(from: Float, to: Float, a: u128) -> u128 {
    match (from, to) {
        _ if from == to => a,
        _ if is_nan(from, a) => convert_nan(from, to, a),
        (Float::F32, Float::F64) => f64::from(f32::from_bits(a as u32)).to_bits().into(),
        (Float::F64, Float::F32) => (f64::from_bits(a as u64) as f32).to_bits().into(),
        (Float::F80, _) => x87::narrow(to, a),
        _ => x87::widen(from, a),
    }
}

/// An integer in a floating-point format, rounded to nearest.
fn from_integer(format: Float, negative: bool, magnitude: u128) -> u128 {
    match format {
        Float::F32 => {
            let x = magnitude as f32;
            (if negative { -x } else { x }).to_bits().into()
        }
        Float::F64 => {
            let x = magnitude as f64;
            (if negative { -x } else { x }).to_bits().into()
        }
        Float::F80 => x87::from_integer(negative, magnitude),
    }
}
