//! From text to numbers.
use super::characters::is_space;
use crate::args::{Done, int, return_double, return_float, return_int, return_word, word, zero_extend};
use crate::errno::{self, EINVAL, ERANGE};
use crate::table::Family;
use interp::hooks::{Call, ModelError, Registered};

const FAMILY: Family = Family("conversions");

/// `atoi`, `strtol`, `strtod` and their relatives.
pub(crate) const MODELS: &[Registered] = &[
    FAMILY.plain("atoi", atoi),
    FAMILY.plain("atol", |c| whole(c, Type::LONG)),
    FAMILY.plain("atoll", |c| whole(c, Type::LONG_LONG)),
    FAMILY.plain("strtol", |c| in_base(c, Type::LONG)),
    FAMILY.plain("strtoll", |c| in_base(c, Type::LONG_LONG)),
    FAMILY.plain("strtoimax", |c| in_base(c, Type::LONG_LONG)),
    FAMILY.plain("strtoul", |c| in_base(c, Type::UNSIGNED_LONG)),
    FAMILY.plain("strtoull", |c| in_base(c, Type::UNSIGNED_LONG_LONG)),
    FAMILY.plain("strtoumax", |c| in_base(c, Type::UNSIGNED_LONG_LONG)),
    FAMILY.plain("__isoc23_strtol", |c| in_base(c, Type::LONG)),
    FAMILY.plain("__isoc23_strtoll", |c| in_base(c, Type::LONG_LONG)),
    FAMILY.plain("__isoc23_strtoimax", |c| in_base(c, Type::LONG_LONG)),
    FAMILY.plain("__isoc23_strtoul", |c| in_base(c, Type::UNSIGNED_LONG)),
    FAMILY.plain("__isoc23_strtoull", |c| in_base(c, Type::UNSIGNED_LONG_LONG)),
    FAMILY.plain("__isoc23_strtoumax", |c| in_base(c, Type::UNSIGNED_LONG_LONG)),
    FAMILY.plain("atof", atof),
    FAMILY.plain("strtod", strtod),
    FAMILY.plain("strtof", strtof),
];

/// The type of a result.
#[derive(Clone, Copy)]
struct Type {
    signed: bool,
    /// As wide as a pointer, else 64 bits.
    long: bool,
}

impl Type {
    const LONG: Type = Type { signed: true, long: true };
    const LONG_LONG: Type = Type { signed: true, long: false };
    const UNSIGNED_LONG: Type = Type { signed: false, long: true };
    const UNSIGNED_LONG_LONG: Type = Type { signed: false, long: false };

    fn bytes(self, call: &dyn Call) -> u64 {
        if self.long { call.pointer_bytes() } else { 8 }
    }
}

/// A number found at the start of a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Found {
    negative: bool,
    /// Saturated far beyond 64 bits.
    magnitude: u128,
    /// Bytes of the text that it takes; 0 if there is no number.
    len: usize,
}

/// Reads white space, a sign, a prefix and digits. `binary`: the prefix `0b` counts (C23).
fn parse(text: &[u8], base: u32, binary: bool) -> Found {
    let mut at = text.iter().take_while(|b| is_space(**b)).count();
    let negative = text.get(at) == Some(&b'-');
    if matches!(text.get(at), Some(b'+' | b'-')) {
        at += 1;
    }
    let digit = |i: usize, base: u32| text.get(i).and_then(|b| char::from(*b).to_digit(base));
    let prefix = |letter: u8, base: u32| {
        text.get(at) == Some(&b'0')
            && text.get(at + 1).is_some_and(|b| b.to_ascii_lowercase() == letter)
            && digit(at + 2, base).is_some()
    };
    let (base, skip) = match base {
        0 | 16 if prefix(b'x', 16) => (16, 2),
        0 | 2 if binary && prefix(b'b', 2) => (2, 2),
        0 if text.get(at) == Some(&b'0') => (8, 0),
        0 => (10, 0),
        given => (given, 0),
    };
    at += skip;
    let mut found = Found { negative, ..Found::default() };
    while let Some(value) = digit(at, base) {
        found.magnitude = (found.magnitude * u128::from(base) + u128::from(value)).min(1 << 100);
        at += 1;
        found.len = at;
    }
    found
}

/// The value in the result type, and whether it had to be cut off.
fn clamp(found: Found, signed: bool, bytes: u64) -> (u64, bool) {
    let bits = 8 * bytes as u32;
    let limit = match (signed, found.negative) {
        (false, _) => (1_u128 << bits) - 1,
        (true, false) => (1_u128 << (bits - 1)) - 1,
        (true, true) => 1_u128 << (bits - 1),
    };
    let cut = found.magnitude > limit;
    let magnitude = found.magnitude.min(limit) as u64;
    // An unsigned result that is out of range is the largest value whatever the sign.
    let negate = found.negative && (signed || !cut);
    (zero_extend(if negate { magnitude.wrapping_neg() } else { magnitude }, bytes), cut)
}

/// Converts and sets `errno`.
fn convert(call: &mut dyn Call, found: Found, kind: Type) -> Result<u64, ModelError> {
    let (value, cut) = clamp(found, kind.signed, kind.bytes(call));
    if cut {
        errno::set(call, ERANGE)?;
    }
    Ok(value)
}

fn whole(call: &mut dyn Call, kind: Type) -> Done {
    let text = word(call, 0)?;
    let text = call.c_string(text)?;
    let value = convert(call, parse(&text, 10, false), kind)?;
    return_word(value)
}

fn atoi(call: &mut dyn Call) -> Done {
    let text = word(call, 0)?;
    let text = call.c_string(text)?;
    let value = convert(call, parse(&text, 10, false), Type::LONG)?;
    return_int(value as u32 as i32)
}

fn in_base(call: &mut dyn Call, kind: Type) -> Done {
    let (start, end, base) = (word(call, 0)?, word(call, 1)?, int(call, 2)?);
    let text = call.c_string(start)?;
    if base != 0 && !(2..=36).contains(&base) {
        errno::set(call, EINVAL)?;
        return return_word(0);
    }
    let found = parse(&text, base as u32, call.name().starts_with("__isoc23"));
    store_end(call, end, start, found.len)?;
    let value = convert(call, found, kind)?;
    return_word(value)
}

fn store_end(call: &mut dyn Call, end: u64, start: u64, len: usize) -> Result<(), ModelError> {
    match end {
        0 => Ok(()),
        _ => call.store(end, call.pointer_bytes(), start + len as u64),
    }
}

/// A floating-point number at the start of a text.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Number {
    None,
    /// A decimal number, or an infinity, as Rust spells it.
    Decimal(String),
    /// `mantissa · 2^exponent`; the lowest bit of the mantissa stands for all that follow, too.
    Binary {
        negative: bool,
        mantissa: u64,
        exponent: i64,
    },
    /// No number, with what was in parentheses after it.
    Nan {
        negative: bool,
        payload: u64,
    },
}

/// The longest start of a text that is a floating-point number, and the bytes that it takes.
fn float_text(text: &[u8]) -> (Number, usize) {
    let blanks = text.iter().take_while(|b| is_space(**b)).count();
    let mut at = blanks;
    let negative = text.get(at) == Some(&b'-');
    if matches!(text.get(at), Some(b'+' | b'-')) {
        at += 1;
    }
    let rest = text[at..].to_ascii_lowercase();
    let hex_digit = |i: usize| rest.get(i).is_some_and(u8::is_ascii_hexdigit);
    if rest.starts_with(b"0x") && (hex_digit(2) || rest.get(2) == Some(&b'.') && hex_digit(3)) {
        let (mantissa, exponent, len) = hexadecimal(&rest);
        return (Number::Binary { negative, mantissa, exponent }, at + len);
    }
    if rest.starts_with(b"nan") {
        let (payload, len) = payload(&rest[3..]);
        return (Number::Nan { negative, payload }, at + 3 + len);
    }
    let len = match [b"infinity".as_slice(), b"inf"].into_iter().find(|word| rest.starts_with(word)) {
        Some(word) => word.len(),
        None => decimal_len(&rest),
    };
    match len {
        0 => (Number::None, 0),
        _ => (Number::Decimal(String::from_utf8_lossy(&text[blanks..at + len]).into_owned()), at + len),
    }
}

/// How long the decimal number at the start is.
fn decimal_len(rest: &[u8]) -> usize {
    let digits = |from: usize| rest[from..].iter().take_while(|b| b.is_ascii_digit()).count();
    let integer = digits(0);
    let mut len = integer;
    let mut fraction = 0;
    if rest.get(len) == Some(&b'.') {
        fraction = digits(len + 1);
        len += 1 + fraction;
    }
    if integer + fraction == 0 {
        return 0;
    }
    len + exponent(&rest[len..], b'e').1
}

/// The exponent after that letter, and its length with the letter; (0, 0) if there is none.
fn exponent(rest: &[u8], letter: u8) -> (i64, usize) {
    let signed = usize::from(matches!(rest.get(1), Some(b'+' | b'-')));
    let digits = rest.iter().skip(1 + signed).take_while(|b| b.is_ascii_digit());
    let (mut value, mut len) = (0_i64, 0);
    for digit in digits {
        value = (10 * value + i64::from(digit - b'0')).min(1 << 40);
        len += 1;
    }
    if rest.first() != Some(&letter) || len == 0 {
        return (0, 0);
    }
    (if rest[1] == b'-' { -value } else { value }, 1 + signed + len)
}

/// Mantissa, exponent and length of the hexadecimal number at the start.
fn hexadecimal(rest: &[u8]) -> (u64, i64, usize) {
    let (mut mantissa, mut power, mut point, mut len) = (0_u64, 0_i64, false, 2);
    for byte in &rest[2..] {
        match char::from(*byte).to_digit(16) {
            Some(digit) if mantissa >> 58 == 0 => {
                mantissa = mantissa << 4 | u64::from(digit);
                power -= if point { 4 } else { 0 };
            }
            Some(digit) => {
                mantissa |= u64::from(digit != 0);
                power += if point { 0 } else { 4 };
            }
            None if *byte == b'.' && !point => point = true,
            None => break,
        }
        len += 1;
    }
    let (exponent, more) = exponent(&rest[len..], b'p');
    (mantissa, power + exponent, len + more)
}

/// What is in the parentheses after `nan`, as a number (else 0), and their length (0 if they are not complete).
fn payload(rest: &[u8]) -> (u64, usize) {
    let inside = rest.iter().skip(1).take_while(|b| b.is_ascii_alphanumeric() || **b == b'_').count();
    if rest.first() != Some(&b'(') || rest.get(1 + inside) != Some(&b')') {
        return (0, 0);
    }
    let found = parse(&rest[1..=inside], 0, false);
    (if found.len == inside { found.magnitude.min(u64::MAX.into()) as u64 } else { 0 }, inside + 2)
}

/// A format of floating-point numbers.
trait Format: std::str::FromStr + Default {
    /// Bits of the mantissa, with the first.
    const PRECISION: i64;
    /// The exponent of the smallest number above 0.
    const LOWEST: i64;
    /// Infinite, or so small that precision is lost.
    fn is_out_of_range(&self) -> bool;
    /// Of a number that has this format.
    fn of(value: f64) -> Self;
    /// No number.
    fn nan(negative: bool, payload: u64) -> Self;
}

impl Format for f64 {
    const PRECISION: i64 = 53;
    const LOWEST: i64 = -1074;
    fn is_out_of_range(&self) -> bool {
        self.is_infinite() || self.abs() < f64::MIN_POSITIVE
    }
    fn of(value: f64) -> f64 {
        value
    }
    fn nan(negative: bool, payload: u64) -> f64 {
        f64::from_bits(u64::from(negative) << 63 | 0xfff << 51 | payload & ((1 << 51) - 1))
    }
}

impl Format for f32 {
    const PRECISION: i64 = 24;
    const LOWEST: i64 = -149;
    fn is_out_of_range(&self) -> bool {
        self.is_infinite() || self.abs() < f32::MIN_POSITIVE
    }
    fn of(value: f64) -> f32 {
        value as f32
    }
    fn nan(negative: bool, payload: u64) -> f32 {
        f32::from_bits(u32::from(negative) << 31 | 0x1ff << 22 | payload as u32 & ((1 << 22) - 1))
    }
}

/// Rounds `mantissa · 2^exponent` to nearest, ties to even; the second component says whether that changed the number.
fn round<T: Format>(mantissa: u64, exponent: i64) -> (f64, bool) {
    if mantissa == 0 {
        return (0.0, false);
    }
    let bits = 64 - i64::from(mantissa.leading_zeros());
    // Bits that the format has no place for: below its precision, or below its smallest number.
    let dropped = (bits - T::PRECISION).max(T::LOWEST - exponent).max(0);
    if dropped > bits {
        return (0.0, true);
    }
    let (wide, unit) = (u128::from(mantissa), 1_u128 << dropped);
    let (kept, rest) = (wide / unit, wide % unit);
    let up = 2 * rest > unit || 2 * rest == unit && kept % 2 == 1;
    let kept = (kept + u128::from(up)) as f64;
    // Exact in steps: the result is a number of the format, or too large for an f64 (or, below, for the format).
    let mut value = kept;
    let mut left = (exponent + dropped).clamp(-5000, 5000);
    while left != 0 && value.is_finite() {
        let step = left.clamp(-500, 500);
        value *= f64::from_bits(((1023 + step) as u64) << 52);
        left -= step;
    }
    (value, rest != 0)
}

/// Reads the number in argument 0, stores its end where argument `end` says, and sets `errno`.
fn read_float<T: Format>(call: &mut dyn Call, end: Option<usize>) -> Result<T, ModelError> {
    let start = word(call, 0)?;
    let text = call.c_string(start)?;
    let (number, len) = float_text(&text);
    if let Some(end) = end {
        let end = word(call, end)?;
        store_end(call, end, start, len)?;
    }
    let (value, cut) = match number {
        Number::None => return Ok(T::default()),
        Number::Nan { negative, payload } => return Ok(T::nan(negative, payload)),
        Number::Binary { negative, mantissa, exponent } => {
            let (value, inexact) = round::<T>(mantissa, exponent);
            let result = T::of(if negative { -value } else { value });
            let cut = T::of(value).is_out_of_range() && (inexact || value.is_infinite() || value > 1.0);
            (result, cut)
        }
        Number::Decimal(number) => {
            let value = number.parse::<T>().map_err(|_| ModelError::Unknown(format!("conversion of `{number}`")))?;
            let digits = number.bytes().take_while(|b| !b.eq_ignore_ascii_case(&b'e'));
            let cut = value.is_out_of_range() && digits.into_iter().any(|b| (b'1'..=b'9').contains(&b));
            (value, cut)
        }
    };
    if cut {
        errno::set(call, ERANGE)?;
    }
    Ok(value)
}

fn atof(call: &mut dyn Call) -> Done {
    return_double(read_float(call, None)?)
}

fn strtod(call: &mut dyn Call) -> Done {
    return_double(read_float(call, Some(1))?)
}

fn strtof(call: &mut dyn Call) -> Done {
    return_float(read_float(call, Some(1))?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(text: &str, base: u32) -> (i128, usize) {
        let found = parse(text.as_bytes(), base, false);
        (if found.negative { -(found.magnitude as i128) } else { found.magnitude as i128 }, found.len)
    }

    #[test]
    fn integers() {
        assert_eq!(number(" \t-12x", 10), (-12, 5));
        assert_eq!(number("0x1F", 0), (31, 4));
        assert_eq!(number("0xg", 0), (0, 1));
        assert_eq!(number("0x1F", 16), (31, 4));
        assert_eq!(number("0778", 0), (63, 3));
        assert_eq!(number("zZ", 36), (35 * 36 + 35, 2));
        assert_eq!(number("+", 10), (0, 0));
        assert_eq!(number("", 0), (0, 0));
        assert_eq!(number("0b101", 0), (0, 1));
        assert_eq!(parse(b"0b101", 0, true).magnitude, 5);
    }

    #[test]
    fn cut_off() {
        let value = |text: &str, signed, bytes| clamp(parse(text.as_bytes(), 10, false), signed, bytes);
        assert_eq!(value("2147483648", true, 4), (0x7fff_ffff, true));
        assert_eq!(value("-2147483648", true, 4), (0x8000_0000, false));
        assert_eq!(value("-2147483649", true, 4), (0x8000_0000, true));
        assert_eq!(value("-1", false, 8), (u64::MAX, false));
        assert_eq!(value("99999999999999999999999999999999999999999999", true, 8), (i64::MAX as u64, true));
        assert_eq!(value("-99999999999999999999", false, 8), (u64::MAX, true));
    }

    #[test]
    fn floats() {
        let decimal = |text: &str, len| (Number::Decimal(text.into()), len);
        let take = |text: &str| float_text(text.as_bytes());
        assert_eq!(take(" -1.5e3x"), decimal("-1.5e3", 7));
        assert_eq!(take("1e+"), decimal("1", 1));
        assert_eq!(take(".5."), decimal(".5", 2));
        assert_eq!(take("7."), decimal("7.", 2));
        assert_eq!(take("."), (Number::None, 0));
        assert_eq!(take("-INFx"), decimal("-INF", 4));
        assert_eq!(take("infinity"), decimal("infinity", 8));
        assert_eq!(take("0x"), decimal("0", 1));
        assert_eq!(take("0x1.8p3"), (Number::Binary { negative: false, mantissa: 0x18, exponent: -1 }, 7));
        assert_eq!(take("-0x.8p"), (Number::Binary { negative: true, mantissa: 8, exponent: -4 }, 5));
        assert_eq!(take("nan(0x12)!"), (Number::Nan { negative: false, payload: 18 }, 9));
        assert_eq!(take("-nan(1"), (Number::Nan { negative: true, payload: 0 }, 4));
    }

    #[test]
    fn binary_numbers_are_rounded_once() {
        assert_eq!(round::<f64>(0x18, -1), (12.0, false));
        assert_eq!(round::<f64>((1 << 53) + 1, 0), (9_007_199_254_740_992.0, true));
        assert_eq!(round::<f64>((1 << 53) + 3, 0), (9_007_199_254_740_996.0, true));
        assert_eq!(round::<f64>(3, -1075), (f64::from_bits(2), true));
        assert_eq!(round::<f64>(1, -1075), (0.0, true));
        assert_eq!(round::<f64>(1, -1074), (f64::from_bits(1), false));
        assert_eq!(round::<f64>(1, 1024), (f64::INFINITY, false));
        assert_eq!(round::<f32>((1 << 24) + 1, 0), (16_777_216.0, true));
        assert_eq!(round::<f32>(3, -150), (f64::from(f32::from_bits(2)), true));
    }
}
