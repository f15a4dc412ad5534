//! The parts of a floating-point number.
use frontend::ir::Float;

/// What bits of a format stand for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Number {
    NaN,
    Infinite {
        negative: bool,
    },
    /// `±magnitude · 2^exponent`; 0 has magnitude 0.
    Finite {
        negative: bool,
        magnitude: u64,
        exponent: i32,
    },
}

/// Bits of the format of that width.
pub(super) fn of_width(width: u8) -> Float {
    match width {
        32 => Float::F32,
        64 => Float::F64,
        80 => Float::F80,
        other => panic!("no floating-point format has {other} bits"),
    }
}

/// Stored bits of the fraction (x87's includes the leading one), bits of the exponent.
fn layout(format: Float) -> (u32, u32) {
    match format {
        Float::F32 => (23, 8),
        Float::F64 => (52, 11),
        Float::F80 => (64, 15),
    }
}

/// Takes a number apart. What x87 rejects as no number at all is a NaN.
pub(super) fn unpack(format: Float, bits: u128) -> Number {
    let (fraction_bits, exponent_bits) = layout(format);
    let fraction = (bits & ((1 << fraction_bits) - 1)) as u64;
    let biased = (bits >> fraction_bits) as i32 & ((1 << exponent_bits) - 1);
    let negative = bits >> (fraction_bits + exponent_bits) & 1 != 0;
    let largest = (1 << exponent_bits) - 1;
    let bias = largest / 2;
    if format == Float::F80 {
        let leading = fraction >> 63 != 0;
        return match biased {
            _ if biased == largest && fraction == 1 << 63 => Number::Infinite { negative },
            _ if biased == largest || biased != 0 && !leading => Number::NaN,
            _ => Number::Finite { negative, magnitude: fraction, exponent: biased.max(1) - bias - 63 },
        };
    }
    let unit = 1 - bias - fraction_bits as i32;
    match biased {
        0 => Number::Finite { negative, magnitude: fraction, exponent: unit },
        _ if biased == largest && fraction == 0 => Number::Infinite { negative },
        _ if biased == largest => Number::NaN,
        _ => Number::Finite { negative, magnitude: fraction | 1 << fraction_bits, exponent: unit + biased - 1 },
    }
}

/// The bit of the sign.
pub(super) fn sign_bit(format: Float) -> u128 {
    let (fraction_bits, exponent_bits) = layout(format);
    1 << (fraction_bits + exponent_bits)
}

/// The bit that makes a NaN quiet.
pub(super) fn quiet_bit(format: Float) -> u128 {
    match format {
        Float::F32 => 1 << 22,
        Float::F64 => 1 << 51,
        Float::F80 => 1 << 62,
    }
}

/// The NaN that x86 makes out of numbers.
pub(super) fn default_nan(format: Float) -> u128 {
    match format {
        Float::F32 => 0xffc0_0000,
        Float::F64 => 0xfff8_0000_0000_0000,
        Float::F80 => 0xffff_c000_0000_0000_0000,
    }
}

/// Whether the bits are a NaN.
pub(super) fn is_nan(format: Float, bits: u128) -> bool {
    unpack(format, bits) == Number::NaN
}

/// A NaN in another format: as much of its payload as fits, from the top, and quiet.
pub(super) fn convert_nan(from: Float, to: Float, bits: u128) -> u128 {
    let (payload_from, payload_to) = (quiet_bit(from).trailing_zeros(), quiet_bit(to).trailing_zeros());
    let payload = bits & (quiet_bit(from) - 1);
    let payload = if payload_to >= payload_from {
        payload << (payload_to - payload_from)
    } else {
        payload >> (payload_from - payload_to)
    };
    let sign = if bits & sign_bit(from) != 0 { sign_bit(to) } else { 0 };
    let positive = default_nan(to) & !sign_bit(to);
    sign | positive | payload
}
